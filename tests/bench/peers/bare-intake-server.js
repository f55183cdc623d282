// What the limits have in common: a bare node:http handler that looks up who sends, and hands groups of what was sent to a database.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { inGroups, sendJson } from './in-groups.js';

export const sha256 = (text) => createHash('sha256').update(text).digest('hex');

export const serveBareIntake = ({ findIntegration, takeGroup }) => {
  const add = inGroups(async (group) => {
    const answers = await takeGroup(group);
    group.forEach(({ response }, index) => sendJson(response, answers[index]));
  });

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
      add({ integration, text: Buffer.concat(chunks).toString('utf8'), response });
    });
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`"address":"http://127.0.0.1:${server.address().port}"\n`));
};
