import type { Root } from 'react-dom/client';

/** React's root in the page; the login page hands it over to the shell. */
export const ROOT: { current: Root | null } = { current: null };
