import { describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import type { SentPayload, TakeAlerts, TakeAlertsResult } from '../../../src/application/alerts/take-alerts.js';
import type { Integration } from '../../../src/domain/alerts/integration.js';
import { Unavailable } from '../../../src/domain/shared/domain-error.js';
import type { AlertThread } from '../../../src/infrastructure/alert-thread/alert-thread.js';
import {
  answerOfError,
  pack,
  resultOf,
  unpack,
  type Answer,
  type Numbered,
} from '../../../src/infrastructure/alert-thread/messages.js';
import { Tallies } from '../../../src/infrastructure/alert-thread/tallies.js';
import { AlertThreadOnDemand } from '../../../src/infrastructure/alert-thread/alert-thread-on-demand.js';
import { RecordingLogger } from '../../support/recording-logger.js';

const throughThreads = (answer: Answer): Answer => JSON.parse(structuredClone(JSON.stringify(answer))) as Answer;
const thrownBy = (answer: Answer): unknown => {
  try {
    return resultOf(answer);
  } catch (error) {
    return error;
  }
};

describe('what a thread answers', () => {
  it.each<TakeAlertsResult>([
    { outcome: 'accepted', touched: [{ iid: 3, title: 'The engine is hot' }] },
    { outcome: 'closed', reason: 'switched_off' },
    { outcome: 'not_a_payload', problem: { kind: 'bound_exceeded', bound: 'depth' } },
    { outcome: 'not_of_alertmanager' },
    { outcome: 'key_reused' },
  ])('is what came of a payload: $outcome', (result) => {
    expect(resultOf(throughThreads({ result }))).toEqual(result);
  });

  it('is that the database is out of reach', () => {
    expect(thrownBy(throughThreads(answerOfError(new Unavailable('database'))))).toBeInstanceOf(Unavailable);
  });

  it.each([
    ['an error of the language', new TypeError('a fault')],
    ['an error of the driver, whose message is hidden', new Database.SqliteError('a fault', 'SQLITE_CORRUPT')],
    ['an error that holds what no thread can be given', new Error('a fault', { cause: () => undefined })],
  ])('is %s with the place where it happened', (_name, fault) => {
    const error = thrownBy(throughThreads(answerOfError(fault)));
    expect(error).toMatchObject({ message: 'a fault', stack: fault.stack });
  });
});

describe('what a thread is asked', () => {
  const integrationOf = (id: number): Integration => ({
    id,
    projectId: id as Integration['projectId'],
    type: 'generic',
    name: 'Monitoring',
    active: true,
    identifier: '',
    apiUrl: null,
    createdAt: new Date(),
  });
  const [engine, mill] = [integrationOf(1), integrationOf(2)];
  const sent = (integration: Integration, text: string, more: Partial<SentPayload> = {}): SentPayload => ({
    integration,
    keyDigest: 'digest',
    projectPath: 'ada/engine',
    text,
    idempotencyKey: undefined,
    ...more,
  });
  const asked: readonly Numbered[] = [
    [1, sent(engine, '1')],
    [2, sent(mill, '2', { idempotencyKey: 'two' })],
    [3, sent(engine, '3', { idempotencyKey: 'three' })],
    [4, sent(engine, '4', { keyDigest: null })],
    [5, sent(engine, '5', { projectPath: 'Ada/Engine' })],
    [6, sent(mill, '6')],
  ];

  it('comes there as it was sent, each payload with its number, sender and key', () => {
    const there = unpack(structuredClone(pack(asked)));
    expect(there.toSorted(([one], [other]) => one - other)).toEqual(asked);
  });

  it('is what senders have in common, once, and payloads of each in the order in which they came', () => {
    expect(pack(asked).map(({ numbers }) => numbers)).toEqual([[1, 3], [2, 6], [4], [5]]);
  });
});

describe('counts that are kept elsewhere', () => {
  it('are added up by name and labels, and taken once', () => {
    const tallies = new Tallies();
    tallies.count('alerts_total', { outcome: 'opened' });
    tallies.count('alerts_total', { outcome: 'counted' }, 2);
    tallies.count('alerts_total', { outcome: 'counted' });
    tallies.count('alerts_total');
    expect(tallies.take()).toEqual([
      ['alerts_total', { outcome: 'opened' }, 1],
      ['alerts_total', { outcome: 'counted' }, 3],
      ['alerts_total', undefined, 1],
    ]);
    expect(tallies.take()).toEqual([]);
  });
});

describe('a thread of alerts on demand', () => {
  const PAYLOAD = { projectPath: 'ada/engine', text: '{}' } as SentPayload;
  const NOTHING: TakeAlertsResult = { outcome: 'accepted', touched: [] };
  const STORM = 16;

  /** Takers that answer when they are told to. */
  const open = (startThread?: () => Promise<AlertThread>) => {
    const logger = new RecordingLogger();
    const taken = { here: 0, there: 0, closed: 0, started: 0 };
    const waiting: (() => void)[] = [];
    const here: TakeAlerts = async () => {
      taken.here += 1;
      await new Promise<void>((resume) => waiting.push(resume));
      return NOTHING;
    };
    const thread = {
      take: () => Promise.resolve(((taken.there += 1), NOTHING)),
      close: () => Promise.resolve(void (taken.closed += 1)),
    } as unknown as AlertThread;
    const start = () => {
      taken.started += 1;
      return startThread?.() ?? Promise.resolve(thread);
    };
    const taking = new AlertThreadOnDemand(here, start, logger);
    const takeAtOnce = async (times: number): Promise<void> => {
      const all = Array.from({ length: times }, () => taking.take(PAYLOAD));
      await new Promise((resume) => setImmediate(resume));
      waiting.splice(0).forEach((resume) => resume());
      await Promise.all(all);
    };
    return { taking, taken, takeAtOnce, logger };
  };

  it('is not started while few come at once, however many they are', async () => {
    const { taken, takeAtOnce, taking } = open();
    for (let round = 0; round < 10; round += 1) await takeAtOnce(STORM - 1);
    await taking.close();
    expect(taken).toEqual({ here: 10 * (STORM - 1), there: 0, started: 0, closed: 0 });
  });

  it('takes alerts from the first storm on, and is closed at the end', async () => {
    const { taken, takeAtOnce, taking } = open();
    await takeAtOnce(3 * STORM);
    await takeAtOnce(1);
    await takeAtOnce(STORM);
    await taking.close();
    expect(taken).toEqual({ here: 3 * STORM, there: 1 + STORM, started: 1, closed: 1 });
  });

  it('is not started any more once it is closed', async () => {
    const { taken, takeAtOnce, taking } = open();
    await taking.close();
    await takeAtOnce(STORM);
    expect(taken).toEqual({ here: STORM, there: 0, started: 0, closed: 0 });
  });

  it('is done without when it does not start, which is logged once', async () => {
    const { taken, takeAtOnce, taking, logger } = open(() => Promise.reject(new Error('too many threads')));
    await takeAtOnce(STORM);
    await takeAtOnce(STORM);
    await taking.close();
    expect(taken).toEqual({ here: 2 * STORM, there: 0, started: 1, closed: 0 });
    expect(logger.lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('without a thread') }]);
  });
});
