import Sequencer from '@jest/test-sequencer';

/**
 * Files that take longest, in seconds of a machine with two cores. Jest goes by how long each took the last time, and where nothing ran
 * before, by the size of a file: then the longest of all, which is a small file, began as one of the last, and a single worker ended the run.
 * It need not be exact, nor complete: others go by their size, as with Jest.
 */
const SECONDS = {
  'browser/change-journey': 150,
  'browser/every-page': 70,
  'contract/storage-move': 90,
  'browser/first-day': 90,
  'http/crawl': 85,
  'acceptance/git-over-http': 80,
  'browser/alerts': 70,
  'http/merges-on-two-nodes': 70,
  'browser/sign-in': 65,
  'http/merge-request-api': 60,
  'http/bad-input': 60,
  'acceptance/command-line': 55,
  'http/forks': 55,
  'http/housekeeping': 55,
  'http/one-open-alert': 55,
  'acceptance/storage-move': 50,
  'contract/moved-answers': 50,
  'contract/archived-repositories': 50,
  'browser/oauth-flows': 50,
  'acceptance/secret-key': 45,
  'contract/archive': 45,
};
const PER_BYTE = 1 / 1_000;

const NAME = /\/tests\/(.+)\.test\.ts$/;

export default class LongestFirst extends Sequencer {
  /** In milliseconds. */
  time(test) {
    const [, name] = NAME.exec(test.path) ?? [];
    return super.time(test) ?? (SECONDS[name] ?? PER_BYTE * (test.context.hasteFS.getSize(test.path) ?? 0)) * 1_000;
  }
}
