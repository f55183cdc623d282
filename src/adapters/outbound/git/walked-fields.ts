import type { Arguments } from './command.js';
import { streamOf, type Git } from './git.js';

export const WALK_MS = 30_000;

/** What a walk through history or a tree answers, as it comes; by a slot. */
export const walked = async (git: Git, store: string, args: Arguments): Promise<AsyncGenerator<Uint8Array>> => {
  const give = await git.parts.light.take(store);
  try {
    const child = await git.start(store, args, { deadlineMs: WALK_MS, ofTrees: true });
    child.stdin.end();
    return streamOf(child, args.fixed[0] ?? '', give);
  } catch (error) {
    give();
    throw error;
  }
};

/** Fields that end in NUL, as they come. */
export async function* fieldsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const fields of fieldsByChunk(stream)) yield* fields;
}

/** The same, as many at a time as one chunk brings: where there are many, to wait for each takes longer than to read it. */
export async function* fieldsByChunk(stream: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk]);
    const end = rest.lastIndexOf(0);
    if (end === -1) continue;
    yield rest.toString('utf8', 0, end).split('\0');
    rest = rest.subarray(end + 1);
  }
  if (rest.length > 0) yield [rest.toString('utf8')];
}
