import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPublicAddress } from '../../../src/adapters/webhook-sender/public-address.ts';
import { openWebhookSender, type ResolveName } from '../../../src/adapters/webhook-sender/webhook-sender.ts';

/** Something inside that no webhook may reach; it counts the connections to it. */
let inside: Server;
let connections = 0;
beforeAll(async () => {
  inside = createServer((_, response) => response.end());
  inside.on('connection', () => (connections += 1));
  inside.listen(0, '127.0.0.1');
  await once(inside, 'listening');
});
afterAll(() => inside.close());

/** Names that resolve to these addresses, one list at each look-up; the last stays. */
function namesOf(names: Record<string, string[][]>): ResolveName {
  return (name, _, done) => {
    const lists = names[name] ?? [];
    const addresses = lists.length > 1 ? lists.shift()! : (lists[0] ?? []);
    const error = addresses.length ? null : Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    done(
      error,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

/** A list in words, as long ones are easier to read. */
const listed = (words: string) => words.trim().split(/\s+/);

const request = (url: string) => ({ url, headers: {}, body: '{}' });
const notStopped = new AbortController().signal;
const privateAddress = { status: null, failure: 'private_address' };

describe('an address', () => {
  const privateOnes = listed(`
    127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254
    100.64.0.1 192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1
    255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1
    64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2001:0:7f00:1:: 2001:db8::1 100::1 fc00::1 fd12:3456::1
    fe80::1 fe80::1%eth0 fec0::1 ff02::1 5f00::1 3fff::1 nonsense`);
  test.each(privateOnes)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
});

describe('a URL', () => {
  const names = namesOf({
    'inside.example': [['10.0.0.5']],
    'both.example': [['8.8.8.8', '127.0.0.1']],
    'six.example': [['::ffff:127.0.0.1']],
    'metadata.example': [['169.254.169.254']],
    localhost: [['127.0.0.1', '::1']],
    'localhost.': [['127.0.0.1']],
    'outside.example': [['8.8.8.8']],
  });
  const sender = openWebhookSender({ allowPrivate: false, resolve: names });

  const leadingInside = listed(`
    https://127.0.0.1/ https://127.1/ https://2130706433/ https://0x7f000001/ https://0x7f.1/ https://0177.0.0.1/
    https://017700000001/ https://127.0.0.1./ https://0/ https://0.0.0.0/ https://１２７.０.０.１/ https://127。0。0。1/
    https://%31%32%37.0.0.1/ https://10.0.0.1:8443/hooks https://[::1]/ https://[::]/ https://[::ffff:127.0.0.1]/
    https://[::ffff:7f00:1]/ https://[::127.0.0.1]/ https://[64:ff9b::127.0.0.1]/ https://[2002:7f00:1::]/
    https://[fd00::1]/ https://169.254.169.254/latest/meta-data https://metadata.example/ https://inside.example/
    https://both.example/ https://six.example/ https://localhost/ https://localhost./ https://LOCALHOST/`);
  test.each(leadingInside)('%s is refused, when it is given and when it is sent to', async (url) => {
    expect(await sender.refusalOf(url)).toMatch(/public address/);
    expect(await sender.send(request(url), notStopped)).toEqual(privateAddress);
  });

  test.each([
    ['http://outside.example/', /https.*WEBHOOK_ALLOW_PRIVATE/],
    ['ftp://outside.example/', /URL such as/],
    ['file:///etc/passwd', /URL such as/],
    ['gopher://outside.example/', /URL such as/],
    ['outside.example/hooks', /URL such as/],
    ['', /URL such as/],
    ['https://user:secret@outside.example/', /user name/],
    ['https://outside.example/#part', /fragment/],
    ['https://[fe80::1%25eth0]/', /URL such as/],
  ])('%j is refused for its form', async (url, reason) => {
    expect(await sender.refusalOf(url)).toMatch(reason);
    if (URL.canParse(url)) expect(await sender.send(request(url), notStopped)).toEqual(privateAddress);
  });

  test.each(['https://outside.example/hooks?a=b', 'https://8.8.8.8/', 'https://[2606:4700:4700::1111]/'])(
    '%s is taken',
    async (url) => expect(await sender.refusalOf(url)).toBeNull(),
  );

  test('may be private and plain where the environment allows it', async () => {
    const lenient = openWebhookSender({ allowPrivate: true });
    const url = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
    expect(await lenient.refusalOf(url)).toBeNull();
    expect(await lenient.send(request(url), notStopped)).toEqual({ status: 200, failure: null });
    expect(await lenient.send(request('http://no-such-name.invalid/'), notStopped)).toMatchObject({ status: null });
    lenient.close();
    connections = 0;
  });
});

test('a connection that nobody uses is ended, also where the receiver would keep it for ever', async () => {
  const receiver = createServer({ keepAliveTimeout: 0 }, (_, response) => response.end());
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const sender = openWebhookSender({ allowPrivate: true });
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const connected = once(receiver, 'connection') as Promise<[Socket]>;
  expect(await sender.send(request(url), notStopped)).toEqual({ status: 200, failure: null });
  const [socket] = await connected;
  await once(socket, 'close');
  sender.close();
  receiver.close();
});

describe('a name that begins to lead elsewhere', () => {
  const port = () => (inside.address() as AddressInfo).port;

  test('is refused at the connection that it would lead inside', async () => {
    const sender = openWebhookSender({
      allowPrivate: false,
      resolve: namesOf({ 'rebinding.example': [['8.8.8.8'], ['127.0.0.1']] }),
    });
    const url = `https://rebinding.example:${port()}/`;
    expect(await sender.refusalOf(url)).toBeNull();
    expect(await sender.send(request(url), notStopped)).toEqual(privateAddress);
    expect(await sender.send(request(url), notStopped)).toEqual(privateAddress);
    expect(connections).toBe(0);
  });

  test('is refused also when only one of its addresses is inside', async () => {
    const sender = openWebhookSender({
      allowPrivate: false,
      resolve: namesOf({ 'mixed.example': [['8.8.8.8'], ['127.0.0.1', '8.8.8.8']] }),
    });
    expect(await sender.refusalOf(`https://mixed.example:${port()}/`)).toBeNull();
    expect(await sender.send(request(`https://mixed.example:${port()}/`), notStopped)).toEqual(privateAddress);
    expect(connections).toBe(0);
  });

  test('and one that leads nowhere is told as that', async () => {
    const sender = openWebhookSender({ allowPrivate: false, resolve: namesOf({}) });
    const answer = await sender.send(request('https://nowhere.example/'), notStopped);
    expect(answer).toEqual({ status: null, failure: 'name_not_resolved' });
  });
});
