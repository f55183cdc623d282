import { expect, it } from '@jest/globals';
import { everyTarget, findRegistered } from '../support/cost/every-target.js';
import { CALLERS, type Caller, type Target } from '../support/cost/target.js';
import { makeWorld } from '../support/cost/world.js';
import { describeDatabase } from '../support/databases.js';
import { selectedDatabases } from '../support/selected-databases.js';
import { move } from '../support/stores.js';
import { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';

/** They tell of the process or of the database itself, of having been asked, or make something new whenever they are. */
const ANEW = /^GET \/(?:-\/|admin(?:\/(?:storage|settings|audit_log).*)?$|profile\/account\/two_factor$)/;
/** Made anew for each answer. */
const NONCES = [
  /(?<=name="authenticity_token" value=")[^"]*/g,
  /(?<=name="csrf-token" content=")[^"]*/g,
  /(?<=cursor=)[\w%.~-]+/g,
  /(?<=nonce[="-]+)[\w+/=-]+/g,
  /(?<=<small>Request )[\w-]+/g,
];
const HEADERS = ['content-type', 'link', 'location', 'x-total', 'x-total-pages', 'x-next-page'];
/** What is looked into when it is first asked for, such as how branches stand, is known by then. */
const ROUNDS_AT_MOST = 6;

/** Characters before and behind the place where two answers part. */
const SHOWN = 100;

type Answers = ReadonlyMap<string, string>;

const withoutNonces = (text: string): string => NONCES.reduce((left, nonce) => left.replaceAll(nonce, ''), text);

const ask = async (url: string, target: Target, caller: Caller): Promise<string> => {
  const headers = await target.headers(caller);
  const response = await fetch(url + (await target.path(caller)), { headers, redirect: 'manual' });
  const told = HEADERS.map((name) => `${name}: ${response.headers.get(name) ?? ''}`);
  return withoutNonces([response.status, ...told, await response.text()].join('\n'));
};

const askAll = async (url: string, targets: readonly Target[]): Promise<Answers> => {
  const answers = new Map<string, string>();
  for (const target of targets)
    for (const caller of CALLERS) answers.set(`${target.name} (${caller})`, await ask(url, target, caller));
  return answers;
};

const differing = (before: Answers, after: Answers): readonly (readonly [string, string, string])[] =>
  [...before].flatMap(([name, answer]) => {
    const now = after.get(name) ?? '';
    if (now === answer) return [];
    let place = 0;
    while (place < answer.length && answer[place] === now[place]) place += 1;
    const [from, to] = [Math.max(0, place - SHOWN), place + SHOWN];
    return [[name, answer.slice(from, to), now.slice(from, to)] as const];
  });

const [one = 'sqlite', other = one] = selectedDatabases();

describeDatabase(one, 'whoever asks', (openSource) =>
  describeDatabase(other, 'before a move and afterwards', (openTarget) => {
    it('is given the same answer at every address that is read, there and back', async () => {
      const [source, target, back] = [await openSource(), await openTarget(), await openSource()];
      const registered = await findRegistered(source);
      const world = await makeWorld(source);
      const repositoriesDirectory = world.settings['REPOSITORIES_DIR'] ?? '';
      const service = await TestService.start(source, { repositoriesDirectory });
      try {
        const targets = (await everyTarget(service.url, world, registered)).filter(
          ({ method, name }) => method === 'GET' && !ANEW.test(name),
        );
        let before = await askAll(service.url, targets);
        let rounds = 0;
        await until(async () => {
          const again = await askAll(service.url, targets);
          const unsettled = differing(before, again);
          before = again;
          rounds += 1;
          if (rounds === ROUNDS_AT_MOST) expect(unsettled).toEqual([]);
          return unsettled.length === 0;
        });
        for (const [from, to] of [
          [source, target],
          [target, back],
        ] as const) {
          expect(await move(from, to)).toMatchObject({ verification: { equal: true } });
          expect(differing(before, await askAll(service.url, targets))).toEqual([]);
        }
        const answered = [...before.values()].filter((answer) => answer.startsWith('200'));
        process.stdout.write(
          `${before.size} requests by ${CALLERS.length} callers, ${answered.length} of them 200: all alike\n`,
        );
        expect(answered.length).toBeGreaterThan(targets.length);
      } finally {
        await service.close();
      }
    });
  }),
);
