/** The transport key of the build (it hides, it does not protect: TLS does). */
declare const __ERP_AES_KEY__: string;
