/** Runs programs for the tests of one worker, and does nothing else; see `program-starter.js`. */
import { spawn } from 'node:child_process';

const textOf = (chunks) => Buffer.concat(chunks).toString('utf8');

process.on('message', ({ id, program, argv, cwd, env, input }) => {
  const child = spawn(program, argv, { cwd, env });
  const [out, err] = [[], []];
  child.stdout.on('data', (chunk) => out.push(chunk));
  child.stderr.on('data', (chunk) => err.push(chunk));
  child.stdin.on('error', () => undefined);
  child.on('error', (error) => err.push(Buffer.from(String(error))));
  child.on('close', (code) => process.send({ id, code, stdout: textOf(out), stderr: textOf(err) }, () => undefined));
  child.stdin.end(input);
});
process.on('disconnect', () => process.exit(0));
