import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { describeDatabase } from '../support/databases.js';

const ROUNDS = 50;

/** A program of its own, since a driver that is unloaded too early ends the whole process. */
const PROGRAM = `
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
const [path, rounds] = process.argv.slice(1);
const database = new Database(path);
const turn = new SharedArrayBuffer(8);
for (let round = 0; round < Number(rounds); round += 1) {
  const asked = database.prepare('select ? + count(*) as count from activity_events');
  asked.get(round);
  const worker = new Worker('./dist/infrastructure/run-retention-thread.js', {
    execArgv: [],
    workerData: { database: { path, turn }, retentionDays: 30 },
  });
  if (round % 2 === 1) worker.once('message', () => worker.postMessage('stop'));
  const code = await new Promise((resolve) => worker.once('exit', resolve));
  if (code !== 0) throw new Error('Thread ' + round + ' ended with ' + code);
  globalThis.gc();
}
database.close();
console.log(process.version, rounds);
`;

describeDatabase('sqlite', 'the thread of retention', (openTestDatabase) => {
  it(`starts and ends ${ROUNDS} times in one process, which ends well`, async () => {
    const path = (await openTestDatabase()).slice('sqlite:'.length);
    const flags = ['--expose-gc', '--input-type=module', '--eval', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, path, String(ROUNDS)]);
    expect(stdout).toBe(`${process.version} ${ROUNDS}\n`);
  });
});
