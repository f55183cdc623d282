import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { SentPayload } from '../../application/alerts/take-alerts.js';
import { WebUrls } from '../../adapters/inbound/http/web-urls.js';
import { openSqliteDatabase } from '../../adapters/outbound/persistence/knex/dialect/sqlite-database.js';
import { WriterTurn } from '../../adapters/outbound/persistence/knex/dialect/writer-turn.js';
import { KnexUserReader } from '../../adapters/outbound/persistence/knex/identity/knex-user-reader.js';
import { sha256Digester } from '../../adapters/outbound/security/node-secrets.js';
import { systemClock } from '../../adapters/outbound/system/system-clock.js';
import { openUnitOfWork } from '../composition/open-unit-of-work.js';
import type { LeftWork } from '../composition/storage.js';
import { boxOfStoredSecrets } from '../composition/stored-secrets.js';
import { createTakingOfAlerts } from '../composition/taking-alerts.js';
import { READY } from '../start-thread.js';
import { answerOfError, unpack, type Answer, type Asked, type ThreadSettings, type Told } from './messages.js';
import { Tallies } from './tallies.js';

/** What this thread has to tell: gathered, and told when the turn ends. */
class Report {
  readonly counters = new Tallies();
  #answers: [number, Answer][] = [];
  #left = new Set<LeftWork>();

  constructor(private readonly port: MessagePort) {}

  answer(number: number, answer: Answer): void {
    // After what else is settled in this turn: a batch of alerts is told of at once.
    if (this.#answers.push([number, answer]) === 1) process.nextTick(() => this.#tell());
  }

  noteLeft(work: LeftWork): void {
    this.#left.add(work);
  }

  #tell(): void {
    const told: Told = { answers: JSON.stringify(this.#answers), counts: this.counters.take(), left: this.#left };
    this.#answers = [];
    this.#left = new Set();
    this.port.postMessage(told);
  }
}

const runAlertThread = async (port: MessagePort, settings: ThreadSettings): Promise<void> => {
  const { database: shared, secretKeys, baseUrl, groupByPayload } = settings;
  const database = openSqliteDatabase(shared.path, new WriterTurn(shared.turn));
  const report = new Report(port);
  const urls = new WebUrls(() => baseUrl);
  const takeAlerts = createTakingOfAlerts({
    unitOfWork: openUnitOfWork({
      database,
      secretBox: boxOfStoredSecrets(secretKeys),
      wake: (work) => report.noteLeft(work),
    }),
    users: new KnexUserReader(database.reader),
    digester: sha256Digester,
    counters: report.counters,
    clock: systemClock,
    alertUrl: (path, iid) => urls.alert(path, iid),
    groupByPayload,
  });

  const take = async (number: number, payload: SentPayload): Promise<void> => {
    try {
      report.answer(number, { result: await takeAlerts(payload) });
    } catch (error) {
      report.answer(number, answerOfError(error));
    }
  };

  port.on('message', (asked: Asked) => {
    if (asked === 'no more') void database.close().then(() => port.close());
    else for (const [number, payload] of unpack(asked)) void take(number, payload);
  });
  // It takes no turn to write before it is ready: until then it may fail, and the process goes on without it.
  await database.ping();
  port.postMessage(READY);
};

if (parentPort === null) throw new Error('This is a thread of the service, and no program.');
await runAlertThread(parentPort, workerData as ThreadSettings);
