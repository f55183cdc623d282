// The limit: one prepared lookup through the same driver behind a bare node:http handler.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE, max: 10 });
const text = 'select * from oauth_access_tokens where digest = $1';

const server = createServer((request, response) => {
  const token = (request.headers.authorization ?? '').slice('Bearer '.length);
  const digest = createHash('sha256').update(token).digest('hex');
  pool.query({ name: 'find', text, values: [digest] }).then(({ rows: [row] }) => {
    response.writeHead(row === undefined ? 401 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ scope: row?.scopes.split(' ') ?? null, created_at: row?.created_at ?? null }));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`"address":"http://127.0.0.1:${server.address().port}"\n`));
