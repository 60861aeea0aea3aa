import http from 'node:http';
import { announce, answerBody, option } from './shared.mjs';
const body = answerBody(); const text = body.toString('latin1');
const mode = option('mode','buf');
const headers = ['Date','Fri, 20 Nov 2026 14:44:02 GMT','Server','stub','Content-Type','application/json; charset=UTF-8','X-Content-Type-Options','nosniff','Allow','GET, POST','Content-Length',String(body.length),'Vary','Origin, Accept-Encoding','Age','1','Cache-Status','waygate; hit; ttl=28','X-Request-Id','zf7vlz-2'];
announce(http.createServer((request, response) => {
      response.writeHead(200, headers);
      if (mode==='buf') response.end(body); else if (mode==='close') { response.on('close',()=>{}); response.end(body); } else if (mode==='once') { response.once('close',()=>{}); response.end(body); } else response.end(text,'latin1');
}));
