import type pg from 'pg';
import { Unavailable } from '../../../../../domain/shared/domain-error.js';
import type { Session } from '../session.js';
import { ask, letAsk, refuse, runInOne, tell, type Asked, type Outcome } from './postgres-at-once.js';

type Work<Result> = (session: Session) => Promise<Result>;

/** Uses a connection, which is given back when that has ended. */
type OnConnection = <Result>(use: (connection: pg.Client) => Promise<Result>) => Promise<Result>;

/** Of several works: the transaction failed, and nothing of it was done. */
const FELL_APART = 'fell apart';

interface Member {
  readonly asked: readonly Asked[];
  readonly outcome: PromiseWithResolvers<Outcome | typeof FELL_APART>;
}

/** Works of one transaction: its answers come when the last of them has been run. */
const MOST_MEMBERS = 32;

/**
 * Somebody else may hold a row that one of several needs, and two transactions may each hold what the other one needs: long before the
 * server looks for that, each work goes by itself.
 */
const PATIENCE_MS = 100;
const BE_IMPATIENT = `select set_config('lock_timeout', '${PATIENCE_MS}ms', true)`;

const runOne = async (connection: pg.Client, { asked, outcome }: Member): Promise<void> =>
  outcome.resolve(await runInOne(connection, asked));

const runTogether = async (connection: pg.Client, group: readonly Member[]): Promise<void> => {
  const all = [ask(BE_IMPATIENT, []), ...group.flatMap(({ asked }) => asked)];
  const { answers, failure } = await runInOne(connection, all);
  // Whether a connection that broke had committed is not known: none may run again.
  const fellApart = failure !== undefined && !(failure.error instanceof Unavailable);
  let next = 1;
  for (const { asked, outcome } of group) {
    const own = { answers: answers.slice(next, next + asked.length), ...(failure && { failure }) };
    outcome.resolve(fellApart ? FELL_APART : own);
    next += asked.length;
  }
};

/**
 * Works that ask at once share a transaction and a connection: what begins and ends these, and the wait for the disk, cost more than the
 * statements. Where that fails each runs by itself, so that none pays for another one's failure.
 */
export class WorksOfTurns {
  readonly #waiting: Member[] = [];
  #onTheWay = 0;

  constructor(private readonly onConnection: OnConnection) {}

  async run<Result>(work: Work<Result>): Promise<Result> {
    const asking = await letAsk(work);
    if (asking.asked.length === 0) return asking.working;
    const outcome = await this.#outcomeOf(asking.asked);
    if (outcome !== FELL_APART) return tell(asking, outcome);
    refuse(asking.asked);
    return this.#runAlone(work);
  }

  async #runAlone<Result>(work: Work<Result>): Promise<Result> {
    const asking = await letAsk(work);
    return tell(asking, await this.onConnection((connection) => runInOne(connection, asking.asked)));
  }

  #outcomeOf(asked: readonly Asked[]): Promise<Outcome | typeof FELL_APART> {
    const outcome = Promise.withResolvers<Outcome | typeof FELL_APART>();
    if (this.#waiting.push({ asked, outcome }) === 1) setImmediate(() => this.#leave());
    return outcome.promise;
  }

  /** While some are on the way the others wait, and leave together: the more of them there are, the less each costs. */
  #leave(): void {
    if (this.#waiting.length > 0 && this.#onTheWay === 0)
      void this.#leaveTogether(this.#waiting.splice(0, MOST_MEMBERS));
  }

  async #leaveTogether(group: readonly Member[]): Promise<void> {
    const arrive = this.#setOut();
    const [first, ...others] = group;
    try {
      await this.onConnection((connection) =>
        first !== undefined && others.length === 0 ? runOne(connection, first) : runTogether(connection, group),
      );
    } catch (error) {
      group.forEach(({ outcome }) => outcome.reject(error));
    } finally {
      arrive();
    }
  }

  /** Nobody waits longer for those on the way than they do for anybody: the database may be away. */
  #setOut(): () => void {
    let onTheWay = true;
    this.#onTheWay += 1;
    const arrive = (): void => {
      if (!onTheWay) return;
      onTheWay = false;
      clearTimeout(patience);
      this.#onTheWay -= 1;
      this.#leave();
    };
    const patience = setTimeout(arrive, PATIENCE_MS);
    return arrive;
  }
}
