// The limit: one prepared lookup behind a bare node:http handler.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import Database from 'better-sqlite3';

const database = new Database(process.env.BENCH_DATABASE, { readonly: true });
const find = database.prepare('select * from oauth_access_tokens where digest = ?');

const server = createServer((request, response) => {
  const token = (request.headers.authorization ?? '').slice('Bearer '.length);
  const row = find.get(createHash('sha256').update(token).digest('hex'));
  response.writeHead(row === undefined ? 401 : 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ scope: row?.scopes.split(' ') ?? null, created_at: row?.created_at ?? null }));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`"address":"http://127.0.0.1:${server.address().port}"\n`));
