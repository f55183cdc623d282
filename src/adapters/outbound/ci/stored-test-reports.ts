import { LRUCache } from 'lru-cache';
import type { ArtifactFiles } from '../../../application/pipelines/ports/artifact-ports.js';
import type { TestReportReader } from '../../../application/pipelines/ports/test-report-reader.js';
import { NO_RESULTS, sizeOf, type TestResults } from '../../../domain/pipelines/test-report.js';
import { BadRequest, NotFound, TooLarge } from '../../../domain/shared/domain-error.js';
import { Slots } from '../../turns/slots.js';
import { readTestReport } from './read-test-report.js';

/** Unpacked. */
const MOST_BYTES = 20 * 1_048_576;
/** A long one takes a second of a processor. */
const READ_AT_ONCE = 2;
/** Of all reports that are remembered, in characters. */
const MOST_REMEMBERED = 10_000_000;

/** Reports as they lie where jobs left them. None ever changes: what was read a moment ago isn't read again. */
export class StoredTestReports implements TestReportReader {
  readonly #turns = new Slots(READ_AT_ONCE, 1);
  readonly #remembered = new LRUCache<string, TestResults>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: sizeOf,
  });

  constructor(private readonly files: Pick<ArtifactFiles, 'unpack'>) {}

  async read(fileKey: string): Promise<TestResults | undefined> {
    return this.#remembered.get(fileKey) ?? this.#turns.during(fileKey, () => this.#read(fileKey));
  }

  async #read(fileKey: string): Promise<TestResults | undefined> {
    const results = this.#remembered.get(fileKey) ?? (await this.#resultsOf(fileKey));
    if (results !== undefined) this.#remembered.set(fileKey, results);
    return results;
  }

  async #resultsOf(fileKey: string): Promise<TestResults | undefined> {
    try {
      return await readTestReport(this.files.unpack(fileKey, MOST_BYTES));
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      if (error instanceof TooLarge)
        return { ...NO_RESULTS, problem: `the report has more than ${MOST_BYTES} bytes unpacked` };
      if (error instanceof BadRequest) return { ...NO_RESULTS, problem: 'the report is not packed by gzip' };
      throw error;
    }
  }
}
