import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { ciProjectWith } from '../support/ci-project.js';
import type { TakenJob, TestRunner } from '../support/ci-runner.js';
import { FormBrowser } from '../support/form-browser.js';
import { describeWriting } from '../support/written-project.js';

const REPORTER = 20;
const PASSING = { state: 'success' };
const JUNIT = 'artifact_type=junit&artifact_format=gzip';
const one = (name: string, inner = '', time = '0.5') =>
  `<testcase name="${name}" classname="Engine" file="e.ts" time="${time}">${inner}</testcase>`;
const suite = (...cases: readonly string[]) => Buffer.from(`<testsuite>${cases.join('')}</testsuite>`);
const UNIT = suite(
  one('turns'),
  one('stops', '<failure message="m">&lt;b&gt; at 3</failure>'),
  one('waits', '<skipped/>', '0'),
);

describeWriting('reports of tests', (writing) => {
  const JOB = 'script: make, artifacts: { reports: { junit: r.xml } }';
  const CI = `unit: { ${JOB} }\nbrowser: { ${JOB}, parallel: 2 }\nnone: { script: make }`;
  const leave = async (runner: TestRunner, job: TakenJob, content: Buffer) =>
    expect((await runner.leave(job, gzipSync(content), { name: 'junit.xml.gz', query: JUNIT })).status).toBe(201);
  /** Each job leaves what is said of its name. */
  const run = async (text: string, reports: Readonly<Record<string, Buffer>>) => {
    const made = await ciProjectWith(writing, text);
    const ids: Record<string, number> = {};
    for (let job = await made.runner.take(); job !== undefined; job = await made.runner.take()) {
      const { name } = job.job_info;
      ids[name] = job.id;
      if (reports[name] !== undefined) await leave(made.runner, job, reports[name]);
      await made.runner.end(job, PASSING);
    }
    return { ...made, ids, address: `/pipelines/${made.pipeline}` };
  };

  it('come to what each test of a pipeline did, and to numbers', async () => {
    const { loom, ids, address } = await run(CI, {
      unit: UNIT,
      'browser 1/2': suite(one('opens')),
      'browser 2/2': suite(one('breaks', '<error message="gone"/>')),
    });
    const counts = {
      total_time: 1,
      total_count: 3,
      success_count: 1,
      failed_count: 1,
      skipped_count: 1,
      error_count: 0,
    };
    const browser = { ...counts, total_count: 2, failed_count: 0, skipped_count: 0, error_count: 1 };
    const testCase = {
      ...{ status: 'success', name: 'turns', classname: 'Engine', file: 'e.ts', execution_time: 0.5 },
      ...{ system_output: null, stack_trace: null },
    };
    const report = await loom.call<{ test_suites: readonly { test_cases: unknown }[] }>(
      'GET',
      `${address}/test_report`,
    );
    expect(report).toMatchObject({
      status: 200,
      body: {
        ...{ total_time: 2, total_count: 5, success_count: 2, failed_count: 1, skipped_count: 1, error_count: 1 },
        test_suites: [
          {
            ...{ name: 'unit', suite_error: null, ...counts },
            test_cases: [
              testCase,
              { ...testCase, name: 'stops', status: 'failed', system_output: '<b> at 3' },
              { ...testCase, name: 'waits', status: 'skipped', execution_time: 0 },
            ],
          },
          { name: 'browser', suite_error: null, ...browser },
        ],
      },
    });
    const summary = await loom.call('GET', `${address}/test_report_summary`);
    expect(summary.body).toEqual({
      total: { time: 2, count: 5, success: 2, failed: 1, skipped: 1, error: 1, suite_error: null },
      test_suites: [
        { name: 'unit', suite_error: null, ...counts, build_ids: [ids['unit']] },
        { name: 'browser', suite_error: null, ...browser, build_ids: [ids['browser 1/2'], ids['browser 2/2']] },
      ],
    });
  });

  it('that can’t be read say why, and the others count', async () => {
    const { loom, address } = await run(`${CI}\nthird: { ${JOB} }`, {
      unit: UNIT,
      'browser 1/2': Buffer.from('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite name="&x;"/>'),
      third: Buffer.alloc(21 * 1_048_576, ' '),
    });
    const { body } = await loom.call<{ total_count: number; test_suites: readonly { suite_error: string | null }[] }>(
      'GET',
      `${address}/test_report`,
    );
    expect([body.total_count, body.test_suites.map((each) => each.suite_error)]).toEqual([
      3,
      [
        null,
        'JUnit XML parsing failed: a document type is not allowed',
        'not read: the reports of this pipeline are too many, or too large together',
      ],
    ]);
  });

  it('are none where no job left one, and none of a pipeline that isn’t there', async () => {
    const { loom, address } = await run(CI, {});
    const none = { total_time: 0, total_count: 0, success_count: 0, failed_count: 0, skipped_count: 0, error_count: 0 };
    expect((await loom.call('GET', `${address}/test_report`)).body).toEqual({ ...none, test_suites: [] });
    expect(await loom.call('GET', '/pipelines/999999/test_report')).toMatchObject({ status: 404 });
    expect(await loom.call('GET', '/pipelines/999999/test_report_summary')).toMatchObject({ status: 404 });
  });

  it('of a job that was run again are those of its last run', async () => {
    const { loom, runner, ids, address } = await run(CI, { unit: UNIT });
    expect(await loom.call('POST', `/jobs/${ids['unit']}/retry`)).toMatchObject({ status: 201 });
    const again = await runner.takeNamed('unit');
    await leave(runner, again, suite(one('turns')));
    await runner.end(again, PASSING);
    expect((await loom.call('GET', `${address}/test_report_summary`)).body).toMatchObject({
      test_suites: [{ total_count: 1, failed_count: 0, build_ids: [again.id] }],
    });
  });

  it('are for whoever may read the code, and where the file says so for whoever may fetch the files of the job', async () => {
    const closed = `unit: { script: make, artifacts: { access: developer, reports: { junit: r.xml } } }\nother: { ${JOB} }`;
    const { loom, address } = await run(closed, { unit: UNIT, other: suite(one('opens')) });
    const summaryFor = async (user = writing.grace) => {
      const answer = await loom.call<{ test_suites?: { name: string }[] }>(
        ...(['GET', `${address}/test_report_summary`, undefined, user] as const),
      );
      return answer.status === 200 ? answer.body.test_suites?.map(({ name }) => name) : answer.status;
    };
    expect(await summaryFor(writing.ada)).toEqual(['unit', 'other']);
    expect(await summaryFor()).toBe(404);
    await loom.addMember(writing.grace, REPORTER);
    expect(await summaryFor()).toEqual(['other']);
  });

  it('have a page, which shows suites and what failed as text', async () => {
    const { loom, pipeline, ids } = await run(CI, {
      unit: suite(one('&lt;img src=x&gt;', '<failure>&lt;script&gt;alert(1)&lt;/script&gt;</failure>'), one('turns')),
      'browser 1/2': Buffer.from('<html/>'),
    });
    await loom.call('PUT', '', { visibility: 'public' });
    const visitor = new FormBrowser(writing.service.url);
    const place = `/${loom.project.path}/-/pipelines/${pipeline}`;
    const read = async (path: string) => (await visitor.get(path)).text();
    expect(await read(place)).toContain(`href="${place}/test_report"`);
    const html = await read(`${place}/test_report`);
    expect(html).toMatch(new RegExp(`2 tests in 1.00 s: 1 passed, 1 failed[^]*jobs/${ids['unit']}"[^]*unit`));
    expect(html).toContain('begins with neither testsuites nor testsuite');
    expect(html).toMatch(/&lt;img src=x&gt;[^]*Engine[^]*&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
    expect(html).not.toContain('<img src=x>');
    const without = await run(CI, {});
    await without.loom.call('PUT', '', { visibility: 'public' });
    const empty = await read(`/${without.loom.project.path}/-/pipelines/${without.pipeline}/test_report`);
    expect(empty).toContain('There is no report of its tests.');
  });
});
