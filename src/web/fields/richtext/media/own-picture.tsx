import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { showFiles } from '../../richtext-files.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

interface OwnPictureProps {
  /** `/erp/api/files/…` */
  readonly address: string;
  readonly alt: string;
  readonly onSize: (size: PictureSize) => void;
}

/** A picture that the product has already: it is fetched with the session. */
export function OwnPicture({ address, alt, onSize }: OwnPictureProps) {
  const holder = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (holder.current !== null) showFiles(holder.current);
  }, [address]);
  return (
    <span ref={holder} className="media-preview">
      <img data-file={address.split('/').pop()} alt={alt} onLoad={(event) => onSize(sizeOf(event))} />
    </span>
  );
}

/** How large a picture is that was just loaded. */
export function sizeOf({ currentTarget }: SyntheticEvent<HTMLImageElement>): PictureSize {
  return { width: currentTarget.naturalWidth, height: currentTarget.naturalHeight };
}

/** An address for what a file holds, as long as it is shown; null before the first. */
export function useFileAddress(file: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (file === null) {
      setAddress(null);
      return undefined;
    }
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}
