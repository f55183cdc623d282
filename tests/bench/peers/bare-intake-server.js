// What the limits have in common: a bare node:http handler that looks up who sends, and hands groups of what was sent to a database.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const GROUP = 64;

export const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** One group at a time; what is asked meanwhile is the next one. */
export const serveBareIntake = ({ findIntegration, takeGroup }) => {
  const waiting = [];
  let running = false;

  const run = async () => {
    running = true;
    while (waiting.length > 0) {
      await new Promise((resume) => setImmediate(resume));
      const group = waiting.splice(0, GROUP);
      const answers = await takeGroup(group);
      group.forEach(({ response }, index) => {
        const text = JSON.stringify(answers[index]);
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
        response.end(text);
      });
    }
    running = false;
  };

  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const path = request.url.slice(1, -'/alerts/notify.json'.length);
      const integration = await findIntegration(path);
      if (sha256(request.headers.authorization.slice('Bearer '.length)) !== integration?.key_digest) {
        response.writeHead(401).end();
        return;
      }
      waiting.push({ integration, text: Buffer.concat(chunks).toString('utf8'), response });
      if (!running) run();
    });
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`"address":"http://127.0.0.1:${server.address().port}"\n`));
};
