import { migrateDatabase } from '../../src/infrastructure/migrate-database.js';
import { RecordingLogger } from './recording-logger.js';
import { takeBackTo, unpackProgram, type ReleaseProgram } from './release-program.js';
import { ServiceProcess } from './service-process.js';
import { onDatabase } from './stores.js';
import { SECRET_KEY, TestService, type TestUser } from './test-service.js';

/** What is served from one database by a release and by the service of today, as while one is updated to the other. */
export class BesideOlderProgram {
  private constructor(
    readonly service: TestService,
    private readonly older: ServiceProcess,
    private readonly program: ReleaseProgram,
  ) {}

  /** The release begins on its own schema, and goes on when that is expanded. */
  static async start(url: string, release: string): Promise<BesideOlderProgram> {
    const program = await unpackProgram(release);
    await takeBackTo(url, program.migrations);
    const settings = { DATABASE_URL: url, SECRET_KEY: SECRET_KEY.toString('base64'), PORT: '0' };
    const older = await ServiceProcess.run([program.main, 'serve'], settings);
    await onDatabase(url, (opened) => migrateDatabase(opened, new RecordingLogger()));
    return new BesideOlderProgram(await TestService.start(url), older, program);
  }

  /** Calls the API of the release. */
  async askOlder<Body>({ token }: TestUser, method: string, path: string, json?: object) {
    const headers = { 'Private-Token': token, 'Content-Type': 'application/json' };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const answer = await fetch(`${this.older.url}/api/v4${path}`, { method, headers, ...body });
    return { status: answer.status, body: (await answer.json()) as Body };
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.older.end('SIGTERM');
    this.program.remove();
  }
}
