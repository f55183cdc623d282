// Senders of requests, a connection each: sends the given ones in turn for a while, and says how many a second were answered. What
// is sent is made before, and answers are hardly read, so that little is taken from what is measured.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** As long as every number, so that the length of a body is known before. */
const MARK = '{n}'.repeat(3);

const { url, requests, connections, seconds, perSecond, firstNumber } = JSON.parse(await text(process.stdin));
const { hostname, port } = new URL(url);

const written = requests.map(({ path, headers, body }) => {
  const whole = body.replaceAll('{n}', MARK);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    'Connection: keep-alive',
    'Content-Type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(whole)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${whole}`.split(MARK);
});

let number = firstNumber;
let turn = 0;
const next = () => {
  const parts = written[turn];
  turn = (turn + 1) % written.length;
  return parts.length === 1 ? parts[0] : parts.join(String((number += 1)).padStart(MARK.length, '0'));
};

const isWhole = (answer) => {
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(answer)?.[1];
  return length === undefined ? answer.endsWith('0\r\n\r\n') : answer.length >= end + 4 + Number(length);
};

let answered = 0;
let failed = 0;
let over = false;
const latencies = [];
const startedAt = performance.now();

const senders = Array.from({ length: connections }, () => {
  const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1');
  const sender = { socket, dueAt: 0, answer: '' };
  const onError = () => {
    if (!over) failed += 1;
  };
  socket.on('error', onError).on('close', onError);
  socket.on('data', (chunk) => {
    sender.answer += chunk;
    if (!isWhole(sender.answer)) return;
    if (sender.answer.startsWith('HTTP/1.1 200')) answered += 1;
    else failed += 1;
    if (perSecond !== undefined) latencies.push(performance.now() - sender.dueAt);
    sender.answer = '';
    if (!over) free(sender);
  });
  return sender;
});

const send = (sender, dueAt) => {
  sender.dueAt = dueAt;
  sender.socket.write(next());
};

/** At a steady rate what is due waits for a connection that is free, and its waiting counts. */
const idle = [];
const due = [];
const free = (sender) => {
  if (perSecond === undefined) return send(sender, 0);
  const dueAt = due.shift();
  return dueAt === undefined ? void idle.push(sender) : send(sender, dueAt);
};
senders.forEach(free);

let begun = 0;
const ticking =
  perSecond === undefined
    ? undefined
    : setInterval(() => {
        const now = performance.now();
        for (; begun < ((now - startedAt) / 1_000) * perSecond; begun += 1) {
          const dueAt = startedAt + (begun / perSecond) * 1_000;
          const sender = idle.pop();
          if (sender === undefined) due.push(dueAt);
          else send(sender, dueAt);
        }
      }, 1);

setTimeout(() => {
  const elapsed = (performance.now() - startedAt) / 1_000;
  over = true;
  clearInterval(ticking);
  const sorted = latencies.toSorted((one, other) => one - other);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? null;
  process.stdout.write(JSON.stringify({ answered, failed, elapsed, p99 }));
  // What is on its way is answered before the next measurement.
  setTimeout(() => senders.forEach(({ socket }) => socket.destroy()), 50);
}, seconds * 1_000);
