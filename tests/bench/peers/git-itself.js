// Git as it comes: `http-backend` by CGI for its own clients, and a child for each request of everything else. What a small server that
// leaves all to git would do.
import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:http';

const { BENCH_ROOT: root, BENCH_STORE: store } = process.env;
const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_COUNT: '2' };
Object.assign(env, { GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' });
Object.assign(env, { GIT_CONFIG_KEY_1: 'core.fsync', GIT_CONFIG_VALUE_1: 'committed,loose-object,reference' });

const COMMANDS = {
  '/tree': ['ls-tree', '-l', 'main', 'folder-1/'],
  '/blob': ['cat-file', 'blob', 'main:folder-1/file-1.txt'],
  '/log': ['log', '-20', '--format=fuller', 'main', '--', 'folder-1/file-1.txt'],
  '/branches': ['for-each-ref', '--sort=refname', '--count=20', '--format=%(refname) %(objectname)', 'refs/heads'],
};

let commits = 0;
/** One file, by `fast-import`, onto a branch of its own. */
const commit = (response) => {
  const child = spawn('git', ['--git-dir', store, 'fast-import', '--quiet', '--force'], { env });
  child.on('close', (code) => response.writeHead(code === 0 ? 201 : 500).end());
  const name = `by-import-${(commits += 1)}`;
  child.stdin.end(
    `commit refs/heads/written\ncommitter A <a@example.com> 1700000000 +0000\ndata 1\nx\nfrom refs/heads/${commits === 1 ? 'main' : 'written^0'}\nM 100644 inline ${name}\ndata 1\nx\n\n`,
  );
};

const answerByGit = (path, response) =>
  execFile('git', ['--git-dir', store, ...COMMANDS[path]], { env, maxBuffer: 2 ** 26 }, (error, text) =>
    response.writeHead(error === null ? 200 : 500).end(text),
  );

const answerByBackend = (request, response) => {
  // A server that has accounts: clients of git come without their password first.
  if (request.headers.authorization === undefined)
    return response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
  const [path, query = ''] = request.url.split('?');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: request.headers['git-protocol'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      REMOTE_USER: 'ada',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  const read = (chunk) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    child.stdout.off('data', read);
    const lines = head.subarray(0, end).toString().split('\r\n');
    const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)));
    const status = Number.parseInt(headers.Status ?? '200', 10);
    response.writeHead(status, headers);
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', read);
  return undefined;
};

const server = createServer((request, response) => {
  if (request.url === '/commit') return commit(response);
  if (request.url in COMMANDS) return answerByGit(request.url, response);
  return answerByBackend(request, response);
}).listen(0, '127.0.0.1', () => process.stdout.write(`"address":"http://127.0.0.1:${server.address().port}"\n`));
