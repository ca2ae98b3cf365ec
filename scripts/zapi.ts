import { signIn, call } from './bench/session.ts';
const [who, role, method, path, body] = process.argv.slice(2);
const url = 'http://127.0.0.1:8161';
const t = await signIn(url, who!, role!);
console.log(JSON.stringify(await call(url, t, { method: method!, path: '/erp/api' + path!, ...(body ? { body: JSON.parse(body) } : {}) }), null, 1));
