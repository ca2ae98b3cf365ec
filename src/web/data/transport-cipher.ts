import AES from 'crypto-js/aes';
import Utf8 from 'crypto-js/enc-utf8';
import WordArray from 'crypto-js/lib-typedarrays';
import Base64 from 'crypto-js/enc-base64';

const IV_BYTES = 16;

/** Base64 of a random IV and the AES-CBC ciphertext, as the login calls and the stream want passwords and ids. */
export function sealForTransport(text: string): string {
  const iv = WordArray.random(IV_BYTES);
  const sealed = AES.encrypt(text, Utf8.parse(__ERP_AES_KEY__), { iv });
  return Base64.stringify(iv.clone().concat(sealed.ciphertext));
}
