// What the limits have in common: a bare node:http handler that reads a form, knows the client, and hands groups of grants to a database.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { inGroups, sendJson } from './in-groups.js';

const LIFETIME_SECONDS = 7_200;

const digestOf = (secret) => createHash('sha256').update(secret).digest('hex');

export const serveBareTokens = ({ findClient, give }) => {
  const add = inGroups(async (group) => {
    const given = await give(group);
    group.forEach(({ response, access, refresh }, index) =>
      sendJson(response, {
        ...{ access_token: access, token_type: 'Bearer', expires_in: LIFETIME_SECONDS, refresh_token: refresh },
        ...{ scope: given[index].scopes, created_at: Math.floor(Date.now() / 1_000) },
      }),
    );
  });

  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
      const client = await findClient(form.get('client_id'));
      if (digestOf(form.get('client_secret')) !== client?.secret_digest) return response.writeHead(401).end();
      const kind = form.get('grant_type') === 'refresh_token' ? 'refresh' : 'code';
      const [access, refresh] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
      const shown = digestOf(form.get(kind === 'code' ? 'code' : 'refresh_token'));
      add({
        ...{ kind, client, shown, access, refresh, response },
        accessDigest: digestOf(access),
        refreshDigest: digestOf(refresh),
      });
      return undefined;
    });
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`"address":"http://127.0.0.1:${server.address().port}"\n`));
};

/** As texts: when a group was taken, and when what it was given ends. */
export const validity = () => {
  const now = Date.now();
  return { at: new Date(now).toISOString(), until: new Date(now + LIFETIME_SECONDS * 1_000).toISOString() };
};
