import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Markup } from '../../../src/adapters/inbound/http/pages/code/markup.js';
import { MarkupWorker, type MarkupTask } from '../../../src/adapters/inbound/http/pages/code/markup-worker.js';

const PLACE = { blobs: '/ada/mill/-/blob/main', raws: '/ada/mill/-/raw/main', folder: '' };
const BLOB = 'f'.repeat(40);
const DEADLINE_MS = 20;

const stallTheLoop = (): void => {
  for (const until = performance.now() + 2 * DEADLINE_MS; performance.now() < until;);
};

/** Answers at once, but what is called slow never. */
class QuickThread extends EventEmitter {
  constructor(private readonly given: string[]) {
    super();
    queueMicrotask(() => this.emit('message', { ready: true }));
  }

  postMessage({ text }: MarkupTask): void {
    this.given.push(text);
    queueMicrotask(() => this.emit('message', { begun: undefined }));
    if (text.startsWith('slow')) return;
    setImmediate(() => this.emit('message', { made: `<p>${text}</p>` }));
    if (text === 'stalls') queueMicrotask(stallTheLoop);
  }

  unref = () => undefined;
  terminate = () => Promise.resolve(0);
}

describe('the thread that makes HTML', () => {
  let given: string[];
  let markup: Markup;

  const start = (waitMs = 60_000) =>
    new Markup(
      new MarkupWorker(() => new QuickThread(given) as unknown as Worker, { deadlineMs: DEADLINE_MS, waitMs }),
    );
  beforeEach(() => {
    given = [];
    markup = start();
  });
  afterEach(() => markup.close());

  const ask = (owner: string, text: string) => markup.loose(owner, text, 'loose');
  const askMany = (owner: string, name: string, count: number) =>
    Array.from({ length: count }, (_, index) => ask(owner, `${name} ${index}`));

  it('works once on what is asked for twice at once, and keeps it', async () => {
    expect(await Promise.all([ask('mill', 'a'), ask('mill', 'a')])).toEqual(['<p>a</p>', '<p>a</p>']);
    expect(await ask('mill', 'a')).toBe('<p>a</p>');
    expect(given).toEqual(['a']);
  });

  it('remembers that a text took too long, wherever it stands', async () => {
    expect(await markup.markdown('mill', BLOB, 'slow', PLACE)).toBeUndefined();
    expect(await markup.markdown('mill', BLOB, 'slow', { ...PLACE, blobs: '/ada/mill/-/blob/v1' })).toBeUndefined();
    expect(given).toEqual(['slow']);
  });

  it('tries again what was not tried', async () => {
    const first = ask('mill', 'a');
    markup.close();
    expect(await first).toBeUndefined();
    expect(await ask('mill', 'a')).toBe('<p>a</p>');
  });

  it('lets texts of other projects wait for the slow one that it works on, however many of them wait', async () => {
    const slow = askMany('quarry', 'slow', 6);
    await slow[0];
    const others = [ask('mill', 'one'), ask('mill', 'two'), ask('barn', 'three')];
    expect(await Promise.all(others)).toEqual(['<p>one</p>', '<p>two</p>', '<p>three</p>']);
    expect(given.slice(0, 5)).toEqual(['slow 0', 'slow 1', 'one', 'three', 'two']);
    expect(await Promise.all(slow)).toEqual(slow.map(() => undefined));
  });

  it('does the same where each of them is quick enough by itself', async () => {
    const many = askMany('quarry', 'many', 6);
    await many[0];
    expect(await ask('mill', 'one')).toBe('<p>one</p>');
    expect(given).toEqual(['many 0', 'many 1', 'one', 'many 2']);
    expect((await Promise.all(many)).at(-1)).toBe('<p>many 5</p>');
  });

  it('has room for a text of another project, however many of one wait', async () => {
    const many = askMany('quarry', 'slow', 300);
    expect(await many.at(-1)).toBeUndefined();
    expect(await ask('mill', 'one')).toBe('<p>one</p>');
    expect(given).not.toContain('slow 299');
  });

  it('gives up what has waited too long for its turn', async () => {
    markup.close();
    markup = start(DEADLINE_MS);
    const slow = askMany('quarry', 'slow', 40);
    expect(await Promise.all(slow)).toEqual(slow.map(() => undefined));
    expect(given.length).toBeLessThan(5);
  });

  it('counts an answer that came in time while the service was busy', async () => {
    expect(await ask('mill', 'stalls')).toBe('<p>stalls</p>');
  });
});
