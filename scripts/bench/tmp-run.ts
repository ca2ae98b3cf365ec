import { measureForms } from './tmp-forms.ts';
console.log(JSON.stringify(await measureForms('http://127.0.0.1:4100'), null, 1));
