/** Opens streams in a process of its own, so that their memory is not the server's, and tells when a notice reached them. */
import { request } from 'node:http';

interface Order {
  readonly url: string;
  readonly streams: readonly { readonly token: string; readonly personid: string }[];
  /** The notice that is waited for has this in its data. */
  readonly mark: string;
}

process.on('message', (order: Order) => {
  let open = 0;
  const arrivals: number[] = [];
  for (const { token, personid } of order.streams) {
    const query = new URLSearchParams({ personid });
    const asked = request(
      `${order.url}/erp/msg/sse/connect?${query.toString()}`,
      { headers: { authorization: token }, agent: false },
      (response) => {
        open += response.statusCode === 200 ? 1 : 0;
        if (open === order.streams.length) process.send?.({ open });
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text = (text + chunk.toString('utf8')).slice(-4_000);
          if (!text.includes(order.mark)) return;
          text = '';
          arrivals.push(Date.now());
          if (arrivals.length === order.streams.length) process.send?.({ arrivals });
        });
      },
    );
    asked.on('error', () => undefined);
    asked.end();
  }
});
