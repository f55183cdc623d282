import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { everyTarget, findRegistered, type RegisteredRoutes } from '../support/cost/every-target.js';
import { MeasuredService, PROMPT_MEMORY } from '../support/cost/measured-service.js';
import { describeFaults, describeFindings } from '../support/cost/report.js';
import { attackTarget, type Finding } from '../support/cost/run-suite.js';
import { CALLERS, type Area, type Caller, type Target } from '../support/cost/target.js';
import { makeWorld, type World } from '../support/cost/world.js';
import { describeEachDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';

/** Regular expressions that make a run smaller: which routes, as declared, and which shapes. */
const ROUTES = new RegExp(process.env['COST_ROUTES'] ?? '');
const SHAPES = new RegExp(process.env['COST_SHAPES'] ?? '');
/** A file that everything over its bounds is written to. */
const REPORT = process.env['COST_REPORT'];

/** What is over its bounds is in the table; each error would be in the log beside. */
const onLog = (): void => undefined;

const AREAS: readonly Area[] = ['api', 'oauth', 'page', 'intake', 'old api', 'operations'];

describeEachDatabase('what a request may cost others', (openTestDatabase) => {
  let service: MeasuredService;
  let world: World;
  let targets: Target[];
  let registered: RegisteredRoutes;
  const findings: Finding[] = [];

  beforeAll(async () => {
    const databaseUrl = await openTestDatabase();
    registered = await findRegistered(databaseUrl);
    world = await makeWorld(databaseUrl);
    service = await MeasuredService.start(
      (flags) => ServiceProcess.start({ ...world.settings, ...PROMPT_MEMORY }, { flags, onLog }),
      databaseUrl,
    );
    targets = (await everyTarget(service.url, world, registered)).filter(({ name }) => ROUTES.test(name));
  });

  afterAll(async () => {
    process.stdout.write(`${expect.getState().currentTestName ?? ''}\n${describeFindings(findings)}`);
    if (REPORT !== undefined) appendFileSync(REPORT, `${describeFindings(findings)}\n`);
    await service.close();
  });

  const attackAll = async (area: Area, caller: Caller): Promise<Finding[]> => {
    const found: Finding[] = [];
    for (const target of targets.filter((each) => each.area === area)) {
      const ofTarget = await attackTarget(service, target, caller, SHAPES);
      const faults = describeFaults(ofTarget);
      if (REPORT !== undefined && faults.length > 0) appendFileSync(REPORT, `${faults.join('\n')}\n`);
      found.push(...ofTarget);
    }
    findings.push(...found);
    return found;
  };

  it.each(AREAS.flatMap((area) => CALLERS.map((caller) => ({ area, caller }))))(
    '$area: no hostile input of $caller is dearer than its bounds',
    async ({ area, caller }) => {
      expect(describeFaults(await attackAll(area, caller))).toEqual([]);
    },
  );

  it('reads nothing whole that is as large as it may be', async () => {
    const ofHeavy = await everyTarget(service.url, { ...world, ...world.heavy }, registered);
    const found: Finding[] = [];
    for (const target of ofHeavy.filter(({ method, name }) => method === 'GET' && ROUTES.test(name)))
      found.push(...(await attackTarget(service, target, 'administrator', /^the largest page$/)));
    findings.push(...found);
    if (REPORT !== undefined) appendFileSync(REPORT, `${describeFaults(found).join('\n')}\n`);
    expect(describeFaults(found)).toEqual([]);
  });

  it('leaves few names behind in the metrics', async () => {
    const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
    expect(metrics.length).toBeLessThan(2_000_000);
  });

  it('has ended no process', () => {
    expect(service.restarts).toBe(0);
  });
});
