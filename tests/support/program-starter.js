import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/*
 * A process that starts another one is copied first, as far as the tables of its memory go: a worker of tests, with hundreds of megabytes,
 * takes ten times as long for that as git then does for its work. So each worker has a small process that starts what its tests run.
 */

const PROGRAM = fileURLToPath(new URL('program-starter-process.js', import.meta.url));

const waiting = new Map();
let starter;
let lastId = 0;

const settle = (id, settled) => {
  waiting.get(id)?.(settled);
  waiting.delete(id);
  // Whoever waits holds the worker up, and nobody else.
  if (waiting.size === 0) starter.channel?.unref();
};

const begin = () => {
  const begun = fork(PROGRAM, [], { execArgv: [], env: { PATH: process.env.PATH }, serialization: 'advanced' });
  begun.on('message', ({ id, ...settled }) => settle(id, settled));
  begun.on('exit', () => {
    starter = undefined;
    for (const resolve of waiting.values())
      resolve({ code: null, stdout: '', stderr: 'What starts programs has ended.' });
    waiting.clear();
  });
  begun.unref();
  begun.channel.unref();
  return begun;
};

/** Answers the code and the output of a program, once it has ended. */
export const startProgram = (program, argv, { cwd, env, input = '' }) =>
  new Promise((resolve) => {
    starter ??= begin();
    const id = (lastId += 1);
    waiting.set(id, resolve);
    starter.channel?.ref();
    starter.send({ id, program, argv, cwd, env, input });
  });
