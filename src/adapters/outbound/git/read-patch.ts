import { TooLarge } from '../../../application/repositories/ports/object-stores.js';
import type { ObjectId } from '../../../domain/repositories/object-id.js';
import type { ToldChanges } from './told-changes.js';

const FIXED = ['diff-tree', '-r', '-M', '-p', '--full-index', '--no-color', '--no-ext-diff', '--no-textconv'];

/**
 * What changed between two commits, as git writes it: every byte, and names quoted as `git apply` reads them. Binary files come with their
 * content unless all of it has more than `most` bytes.
 * @throws TooLarge for text alone that has more.
 */
export const readPatch = async (
  changes: ToldChanges,
  store: string,
  between: readonly [from: ObjectId, to: ObjectId],
  most: number,
): Promise<Uint8Array> => {
  const read = async (contents: 'binary' | 'text') => {
    const fixed = contents === 'binary' ? [...FIXED, '--binary'] : FIXED;
    const of = `${between.join(' ')} ${contents}`;
    const { bytes, cut } = await changes.tell(store, of, { fixed, ids: between }, { mostOutput: most });
    // A part of a patch would be taken for the whole.
    if (cut) throw new TooLarge();
    return bytes;
  };
  try {
    return await read('binary');
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return read('text');
  }
};
