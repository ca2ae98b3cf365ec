/** A stretch of a stream of bytes. */
export interface Piece {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Cuts a stream into pieces of `size` bytes; the last one may be shorter, and is empty only when the whole stream is. */
export async function* inPieces(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Piece> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    held.push(chunk);
    length += chunk.length;
    if (length <= size) continue;
    let rest = Buffer.concat(held);
    // What may be the end is held back: only the last piece says that it is.
    for (; rest.length > size; rest = rest.subarray(size))
      yield { bytes: rest.subarray(0, size), isLast: false };
    [held, length] = [[rest], rest.length];
  }
  yield { bytes: Buffer.concat(held), isLast: true };
}
