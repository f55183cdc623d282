// Fetches all of a repository many times at once, keeps nothing, and says how many packs came whole.
import { request } from 'node:http';
import { setPriority } from 'node:os';

const { BENCH_URL: url, BENCH_AUTHORIZATION: authorization, BENCH_CLONES: clones } = process.env;
setPriority(10);

const ask = (body) =>
  new Promise((resolve, reject) => {
    const headers = {
      Authorization: authorization,
      'Content-Type': 'application/x-git-upload-pack-request',
      'Git-Protocol': 'version=2',
    };
    const sent = request(`${url}/git-upload-pack`, { method: 'POST', headers }, resolve);
    sent.on('error', reject).end(body);
  });

const packet = (text) => (text.length + 4).toString(16).padStart(4, '0') + text;
const request2 = (command, lines) =>
  `${packet(`command=${command}\n`)}${packet('object-format=sha1')}0001${lines.map(packet).join('')}0000`;

const textOf = async (response) => {
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
};

const listed = await textOf(await ask(request2('ls-refs', ['ref-prefix refs/heads/\n'])));
const head = /([0-9a-f]{40}) refs\/heads\/main/.exec(listed)?.[1];
const failed = [];
let whole = 0;
const fetchAll = async () => {
  const response = await ask(request2('fetch', ['no-progress', `want ${head}\n`, 'done\n']));
  let size = 0;
  let last = Buffer.alloc(0);
  for await (const chunk of response) {
    size += chunk.length;
    last = chunk;
  }
  if (response.statusCode === 200 && size > 100 * 2 ** 20 && last.toString('latin1').endsWith('0000')) whole += 1;
  else failed.push(`${response.statusCode} after ${size} bytes`);
};
await Promise.all(
  Array.from({ length: Number(clones) }, () => fetchAll().catch((error) => failed.push(String(error)))),
);
process.stdout.write(JSON.stringify({ whole, failed }));
