import type { ArchiveWriter } from './ports/archive.js';
import type { ArtifactCopies } from './ports/archived-artifacts.js';
import type { RowSource, StoredTable } from './ports/stored-rows.js';

export interface TakenArtifacts {
  readonly taken: number;
  /** Files that rows name and nobody has. */
  readonly missing: readonly string[];
}

/** Rows of whatever table name their file by this. */
const KEY = 'file_key';

/** Takes every file of a CI job or package whose row is there. @param source as it is at one moment. */
export const takeArtifacts = async (
  tables: readonly StoredTable[],
  source: RowSource,
  copies: ArtifactCopies,
): Promise<TakenArtifacts> => {
  copies.begin();
  let named = 0;
  const missing: string[] = [];
  for (const table of tables.filter(({ columns }) => columns.includes(KEY))) {
    const place = table.columns.indexOf(KEY);
    for await (const { rows } of source.pages(table)) {
      missing.push(...(await copies.take(rows.map((row) => row[place] ?? ''))));
      named += rows.length;
    }
  }
  return { taken: named - missing.length, missing };
};

/**
 * Writes the files that were taken.
 * @param taken how many the archive says that it has.
 * @throws Error with a sentence where they are not all there any more: what was written is no archive.
 */
export const writeArtifacts = async (
  archive: Pick<ArchiveWriter, 'addFile'>,
  copies: ArtifactCopies,
  taken: number,
): Promise<void> => {
  let written = 0;
  for await (const file of copies.files()) {
    await archive.addFile(file);
    written += 1;
  }
  if (written !== taken)
    throw new Error(`Of ${taken} files of CI jobs only ${written} were there still when they were written.`);
};
