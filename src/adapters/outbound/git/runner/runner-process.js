/**
 * Starts git for the service, and does nothing else: a small process forks in a few milliseconds, the service would stop its event loop
 * for much longer. Bytes never pass through here: the service opens two connections a command, and git gets their descriptors.
 *
 * Plain JavaScript without imports of ours, so that it runs as it stands from the sources and from a build.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';

const MOST_ERRORS = 65_536;
/** Of those who yield: far behind the service itself, before what idles. */
const YIELDING = 10;
/** Sets the bounds of what it becomes. A system that allows less than they are keeps its own. */
const BOUND = 'ulimit -v "$1" 2>/dev/null; ulimit -d "$2" 2>/dev/null; ulimit -t "$3" 2>/dev/null; shift 3; exec "$@"';
const [socketPath = ''] = process.argv.slice(2);

/** Connections that have said whose they are, by command. */
const arrived = new Map();
const commands = new Map();
const running = new Map();

const tell = (message) => {
  // The service may be gone: then `disconnect` ends this process.
  if (process.connected) process.send(message, undefined, {}, () => undefined);
};

const killGroup = (pid) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

/** Nothing of a caller is read by the shell: what follows the script are its parameters. */
const bounded = ({ addressSpaceKib, dataKib, seconds }, program) => [
  '/bin/sh',
  '-c',
  BOUND,
  'sh',
  String(addressSpaceKib),
  String(dataKib),
  String(seconds),
  ...program,
];

const yieldToOthers = (pid) => {
  try {
    setPriority(pid, YIELDING);
  } catch {
    // It has ended.
  }
};

const collectErrors = (stream) => {
  const chunks = [];
  let size = 0;
  stream.on('data', (chunk) => {
    if (size < MOST_ERRORS) chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).subarray(0, MOST_ERRORS).toString('utf8');
};

const start = (id, { file, argv, env, deadlineMs, bounds, yields }, { input, output }) => {
  let child;
  try {
    // A group of its own, so that whatever it starts ends with it.
    const program = bounds === undefined ? [file, ...argv] : bounded(bounds, [file, ...argv]);
    child = spawn(program[0], program.slice(1), { env, cwd: '/', detached: true, stdio: [input, output, 'pipe'] });
  } catch (error) {
    input.destroy();
    output.destroy();
    return tell({ kind: 'ended', id, code: null, signal: null, errors: String(error) });
  }
  // The child has them: only when it lets go of them does the other side see the end.
  input.destroy();
  output.destroy();
  const errors = collectErrors(child.stderr);
  let failure = '';
  child.on('error', (error) => (failure = String(error)));
  if (child.pid === undefined) {
    child.on('error', () => tell({ kind: 'ended', id, code: null, signal: null, errors: failure }));
    return undefined;
  }
  if (yields === true) yieldToOthers(child.pid);
  const timer = deadlineMs === null ? undefined : setTimeout(() => killGroup(child.pid), deadlineMs);
  running.set(id, child.pid);
  tell({ kind: 'started', id, pid: child.pid });
  child.on('close', (code, signal) => {
    clearTimeout(timer);
    running.delete(id);
    tell({ kind: 'ended', id, code, signal, errors: errors() });
  });
  return undefined;
};

const startWhenComplete = (id) => {
  const command = commands.get(id);
  const sockets = arrived.get(id);
  if (command === undefined || sockets?.input === undefined || sockets.output === undefined) return;
  commands.delete(id);
  arrived.delete(id);
  start(id, command, sockets);
};

/** The first line of a connection says whose it is, and which way; the service sends no more until the command has started. */
const greet = (socket) => {
  let head = '';
  const read = (chunk) => {
    head += chunk.toString('latin1');
    if (!head.endsWith('\n')) return;
    socket.off('data', read);
    socket.pause();
    const [id, way] = head.trim().split(' ');
    arrived.set(id, { ...arrived.get(id), [way]: socket });
    startWhenComplete(id);
  };
  socket.on('data', read);
  socket.on('error', () => undefined);
};

process.on('message', (message) => {
  if (message.kind === 'start') {
    commands.set(message.id, message.command);
    startWhenComplete(message.id);
  } else {
    const pid = running.get(message.id);
    if (pid !== undefined) killGroup(pid);
    for (const socket of Object.values(arrived.get(message.id) ?? {})) socket.destroy();
    arrived.delete(message.id);
    commands.delete(message.id);
  }
});

process.on('disconnect', () => {
  running.forEach(killGroup);
  // Made by the service for this process alone.
  rmSync(dirname(socketPath), { recursive: true, force: true });
  process.exit(0);
});
// The service ends this process itself when it has let its own requests end.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

createServer(greet).listen(socketPath, () => tell({ kind: 'ready' }));
