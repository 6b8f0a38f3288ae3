import { Agent, request } from 'node:http';

/** JSON over kept connections; throws on any answer that is not a success. */
export function openClient(port, key) {
  const agent = new Agent({ keepAlive: true, noDelay: true });
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const bytes = body && JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${key}`,
        ...(bytes && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }),
      };
      const call = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if (answer.statusCode < 300) resolve(text && JSON.parse(text));
          else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`));
        });
      });
      call.on('error', reject);
      call.end(bytes);
    });
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    delete: (path) => send('DELETE', path),
    close: () => agent.destroy(),
  };
}
