import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { apiTargets } from '../support/cost/api-targets.js';
import { MeasuredService } from '../support/cost/measured-service.js';
import {
  askAs,
  Browsers,
  intakeTargets,
  oldApiTargets,
  pageTargets,
  routesOf,
} from '../support/cost/page-targets.js';
import { describeFaults, describeFindings } from '../support/cost/report.js';
import { attackTarget, type Finding } from '../support/cost/run-suite.js';
import { attacksOn } from '../support/cost/shapes.js';
import { CALLERS, type Area, type Caller, type Target } from '../support/cost/target.js';
import { makeWorld, type World } from '../support/cost/world.js';
import { describeEachDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestService } from '../support/test-service.js';

/** Regular expressions that make a run smaller: which routes, as declared, and which shapes. */
const ROUTES = new RegExp(process.env['COST_ROUTES'] ?? '');
const SHAPES = new RegExp(process.env['COST_SHAPES'] ?? '');
/** A file that everything over its bounds is written to. */
const REPORT = process.env['COST_REPORT'];

/** What is over its bounds is in the table; each error would be in the log beside. */
const onLog = (): void => undefined;

const AREAS: readonly Area[] = ['api', 'oauth', 'page', 'intake', 'old api', 'operations'];

/** What is registered beside the API, as the application itself keeps it. */
const registered = async (databaseUrl: string) => {
  const service = await TestService.start(databaseUrl);
  try {
    const { container } = service.service;
    return {
      pages: routesOf(container.get(TOKENS.pagesRouter)),
      operations: routesOf(container.get(TOKENS.operationsRouter)),
    };
  } finally {
    await service.close();
  }
};

describeEachDatabase('what a request may cost others', (openTestDatabase) => {
  let service: MeasuredService;
  let world: World;
  let targets: Target[];
  const findings: Finding[] = [];

  beforeAll(async () => {
    const databaseUrl = await openTestDatabase();
    const { pages, operations } = await registered(databaseUrl);
    world = await makeWorld(databaseUrl);
    service = await MeasuredService.start((flags) => ServiceProcess.start(world.settings, { flags, onLog }), databaseUrl);
    const browsers = new Browsers(service.url);
    const documented = await apiTargets(service.url, world, askAs(service.url, world.administrator.token));
    const known = new Set(documented.map(({ name }) => name));
    const others = operations.filter(({ method, path }) => !known.has(`${method} ${path}`));
    targets = [
      ...documented,
      ...(await pageTargets(pages, 'page', world, browsers)),
      ...(await pageTargets(others, 'operations', world, browsers)),
      ...intakeTargets(world),
      ...oldApiTargets(),
    ].filter(({ name }) => ROUTES.test(name));
    if (process.env['COUNT']) {
      let [all, text] = [0, 0];
      const by: Record<string, number> = {};
      for (const t of targets) { const a = attacksOn(t, () => true); all += a.length; for (const x of a) by[x.shape] = (by[x.shape] ?? 0) + 1; text += attacksOn(t, ({ inFields }) => !inFields).length; }
      process.stderr.write(`${targets.length} targets ${all} all, ${text} outside ${JSON.stringify(by, null, 1)}\n${targets.map((t) => t.name + ' ' + t.fields.length + ' ' + attacksOn(t, () => true).length).join('\n')}`);
    }
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

  it('leaves few names behind in the metrics', async () => {
    const metrics = await (await fetch(`${service.url}/-/metrics`)).text();
    expect(metrics.length).toBeLessThan(2_000_000);
  });

  it('has ended no process', () => {
    expect(service.restarts).toBe(0);
  });
});
