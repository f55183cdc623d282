import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Cron } from 'croner';
import type { Check, InstallationReport } from '../adapters/inbound/http/pages/admin/overview-page.js';
import type { Database } from '../adapters/outbound/persistence/knex/database.js';
import { Migrator } from '../adapters/outbound/persistence/knex/migrate.js';
import { readStorageControl } from '../adapters/outbound/persistence/knex/storage/read-control.js';
import type { MailQueueReader } from '../application/notifications/ports/mail-outbox.js';
import type { Clock } from '../application/shared/ports/clock.js';
import type { JobReader } from '../application/shared/jobs/job-queue.js';
import type { Config } from './configuration/config.js';
import { MIGRATIONS_DIRECTORY } from './migrate-database.js';
import { refuseUnlessMakeable } from './new-file.js';
import { ARCHIVE, timeOf } from './scheduled-backups.js';
import { VERSION } from './version.js';

export interface InstallationReportParts {
  readonly database: Database;
  readonly config: Config;
  readonly baseUrl: () => string;
  /** @throws while git can't be used. */
  readonly gitIsReady: () => Promise<unknown>;
  readonly mails: Pick<MailQueueReader, 'count'>;
  readonly jobs: Pick<JobReader, 'count'>;
  readonly clock: Clock;
  /** Why the last backup of this process failed; undefined where it did not. */
  readonly backupFailure: () => string | undefined;
}

type State = Check['state'];
type Found = Omit<Check, 'name'>;

const MIB = 1_048_576;
const HOUR_MS = 3_600_000;
/** Counting goes no further. */
const MOST_COUNTED = 10_000;

const many = (count: number): string => (count >= MOST_COUNTED ? `${MOST_COUNTED} or more` : String(count));

/** Looks at everything that an installation needs, each by itself: one that is out of reach holds back no other. */
export class InstallationReports {
  readonly #startedAt: Date;

  constructor(private readonly parts: InstallationReportParts) {
    this.#startedAt = parts.clock.now();
  }

  async report(): Promise<InstallationReport> {
    const [stored, others] = await Promise.all([
      this.checkStorage(),
      Promise.all([
        look('Mail', () => this.#mail()),
        look('Jobs', () => this.#jobs()),
        look('Public address', () => Promise.resolve(this.#address())),
      ]),
    ]);
    const checks = [...stored, ...others];
    return { version: VERSION, node: process.versions.node, startedAt: this.#startedAt, checks };
  }

  /** How what people write is kept. */
  checkStorage(): Promise<readonly Check[]> {
    return Promise.all([
      look('Database', () => this.#database()),
      look('Repositories', () => this.#repositories()),
      look('Files of CI jobs', () => Promise.resolve().then(() => this.#artifacts())),
      look('Backups', () => this.#backups()),
    ]);
  }

  async #database(): Promise<Found> {
    const { database } = this.parts;
    const [size, { pending, applied }, control] = await Promise.all([
      database.size(),
      new Migrator(database, MIGRATIONS_DIRECTORY).status(),
      readStorageControl(database),
    ]);
    const engine = database.inThisThread === undefined ? 'PostgreSQL' : 'SQLite';
    const migrations =
      pending.length === 0
        ? `All ${applied.length} migrations are applied.`
        : `${pending.length} migrations are not applied: run “gatehouse migrate”.`;
    const moving = control.state === undefined ? [] : [`A move is under way (${control.state}).`];
    const words = [`${engine}, ${(size / MIB).toFixed(1)} MiB.`, migrations, ...moving];
    return { state: pending.length === 0 && moving.length === 0 ? 'ok' : 'warning', words };
  }

  /** @throws Error while git can't be used, or nothing can be written there. */
  async #repositories(): Promise<Found> {
    await this.parts.gitIsReady();
    const { repositoriesDirectory: folder } = this.parts.config;
    refuseUnlessMakeable(folder);
    return { state: 'ok', words: [`Git can be used. Repositories lie in ${folder}.`] };
  }

  /** @throws Error while nothing can be written there. */
  #artifacts(): Found {
    const { artifactsDirectory: folder } = this.parts.config;
    refuseUnlessMakeable(folder);
    return { state: 'ok', words: [`They lie in ${folder}, and in no backup.`] };
  }

  async #mail(): Promise<Found> {
    const { waiting, failed } = await this.parts.mails.count();
    const { smtpUrl, mailFrom } = this.parts.config;
    const waits = `${many(waiting)} wait to be sent, ${many(failed)} have failed.`;
    const link = { to: '/admin/mails', words: 'Mail queue' };
    if (smtpUrl === undefined)
      return { state: 'warning', words: ['Mail is not set up: SMTP_URL is empty.', waits], link };
    return { state: failed > 0 ? 'warning' : 'ok', words: [`Sent as ${mailFrom}.`, waits], link };
  }

  async #jobs(): Promise<Found> {
    const { waiting, failed } = await this.parts.jobs.count();
    const words = [
      waiting === 0 ? 'None waits.' : `${many(waiting)} wait, ${many(failed)} of them have failed before.`,
    ];
    return { state: failed > 0 ? 'warning' : 'ok', words, link: { to: '/admin/jobs', words: 'Jobs' } };
  }

  async #backups(): Promise<Found> {
    const { backupSchedule: schedule, backupDirectory: folder } = this.parts.config;
    const last = (await archivesIn(folder)).at(-1);
    const newest = last === undefined ? `There is none in ${folder}.` : await describeArchive(folder, last);
    if (schedule === undefined)
      return { state: 'warning', words: ['None are written by the clock: BACKUP_SCHEDULE is off.', newest] };
    const problem = this.#problemOfBackups(schedule, last);
    const words = [`Written at “${schedule}”.`, ...(problem === undefined ? [] : [problem]), newest];
    return { state: problem === undefined ? 'ok' : 'failed', words };
  }

  #problemOfBackups(schedule: string, last: string | undefined): string | undefined {
    const failure = this.parts.backupFailure();
    if (failure !== undefined) return `The last one failed: ${failure}`;
    const now = this.parts.clock.now().getTime();
    // The first one is given an hour to be written.
    if (last === undefined)
      return endOfTurns(schedule, this.#startedAt, 1) + HOUR_MS < now ? 'It was time for one.' : undefined;
    return endOfTurns(schedule, timeOf(last), 2) < now ? 'It was time for a newer one, twice.' : undefined;
  }

  #address(): Found {
    const { nodeEnv, baseUrl } = this.parts.config;
    const words = [`Links lead to ${this.parts.baseUrl()}.`];
    if (baseUrl === undefined) return { state: 'warning', words: [...words, 'BASE_URL is not set.'] };
    const plain = nodeEnv === 'production' && baseUrl.startsWith('http:');
    return plain ? { state: 'warning', words: [...words, 'It is not https.'] } : { state: 'ok', words };
  }
}

const archivesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return (await readdir(folder)).filter((name) => ARCHIVE.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

const describeArchive = async (folder: string, name: string): Promise<string> => {
  const { size } = await stat(join(folder, name));
  const at = timeOf(name)
    .toISOString()
    .replace(/T(\d\d:\d\d).*/, ' $1 UTC');
  return `The newest is ${name} in ${folder}, of ${at}, ${(size / MIB).toFixed(1)} MiB.`;
};

/** When the clock has come round so often since then. */
const endOfTurns = (schedule: string, since: Date, turns: number): number =>
  new Cron(schedule, { paused: true, utcOffset: 0 }).nextRuns(turns, since).at(-1)?.getTime() ?? Infinity;

const look = async (name: string, find: () => Promise<Found>): Promise<Check> => {
  try {
    return { name, ...(await find()) };
  } catch (error) {
    const failed: State = 'failed';
    return { name, state: failed, words: [error instanceof Error ? error.message : 'The reason is unknown.'] };
  }
};
