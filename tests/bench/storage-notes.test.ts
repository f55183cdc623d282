import { expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { interleave, type CostedMeasurement } from '../support/interleave.js';
import { underLoad } from '../support/load.js';
import { processorTimeOfServer } from '../support/processor-time.js';
import { ServedAlerts } from '../support/served-alerts.js';
import { runStorage } from '../support/storage-kills.js';
import { withEnds } from '../support/stores.js';
import { until } from '../support/until.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2);
const MOST_DEARER = 1.15;
const NOTED = 'alerts, each row is noted';
const FREE = 'alerts, nothing is noted';

/** What the service takes of the processor, and its database. */
const measure =
  ({ service, write, settings }: ServedAlerts): CostedMeasurement =>
  async () => {
    const taken = async (): Promise<number> =>
      service.processorTime() + (await processorTimeOfServer(settings['DATABASE_URL'] ?? ''));
    const before = await taken();
    const perSecond = await underLoad(write, SECONDS);
    return { perSecond, processor: (((await taken()) - before) * 1_000) / (perSecond * SECONDS) };
  };

describeEachDatabase('those who write', (open) => {
  it(`pay ${MOST_DEARER} times as much at most while each row is noted for a move of the storage`, async () => {
    const [source, target] = [await open(), await open()];
    const [free, noted] = [await ServedAlerts.start(await open()), await ServedAlerts.start(source)];
    const moving = runStorage(noted.settings, 'move', '--to', target, '--hold');
    try {
      await until(() => withEnds([source, source], async (end) => (await end.control()).state === 'holding'));
      const measured = await interleave(
        new Map([
          [FREE, measure(free)],
          [NOTED, measure(noted)],
        ]),
      );
      const ratios = measured.describeRatio(NOTED, FREE) + measured.describeCostRatio(NOTED, FREE);
      process.stdout.write(`${source.split(':')[0]}\n${measured.describe('a second')}${ratios}`);
      expect(measured.costRatio(NOTED, FREE)).toBeLessThan(MOST_DEARER);
      expect(await runStorage(noted.settings, 'cut')).toBe(0);
      expect(await moving).toBe(0);
    } finally {
      await free.service.end('SIGTERM');
      await noted.service.end('SIGTERM');
    }
  });
});
