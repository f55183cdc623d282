import { beforeAll, expect, it } from '@jest/globals';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

describeWriting('what a text names', (writing) => {
  let mill: WrittenProject;

  beforeAll(async () => {
    mill = await writing.newProject({ visibility: 'public' });
    await mill.write('main', { main: 'main' });
    await mill.write('topic', { topic: 'topic' }, { start_branch: 'main' });
  });

  const followUp = () =>
    until(async () => {
      const { container, database } = writing.service.service;
      await container.get(REPOSITORY_TOKENS.codeWorks).runDue();
      return (await database.reader.query('code_works').first('id')) === undefined;
    });
  const open = async (fields: object = {}, of = mill): Promise<number> =>
    (await of.call<{ iid: number }>('POST', '/issues', { title: 'It leaks', ...fields })).body.iid;
  const saidOf = async (path: string, of = mill): Promise<readonly string[]> => {
    await followUp();
    const { body } = await of.call<{ body: string; system: boolean }[]>('GET', `${path}/notes?sort=asc`);
    return body
      .filter(({ body: text, system }) => system && text.startsWith('mentioned'))
      .map(({ body: text }) => text);
  };
  const comment = (path: string, body: string, who?: TestUser) =>
    mill.call('POST', `${path}/notes`, { body }, ...(who === undefined ? [] : [who]));

  it('says so once, whether a description, a title or a comment names it, and however often', async () => {
    const target = await open();
    const source = await open({ description: `Like #${target}, and \`#1\` in code` });
    const words = [`mentioned in issue #${source}`];
    expect(await saidOf(`/issues/${target}`)).toEqual(words);
    await mill.call('PUT', `/issues/${source}`, { description: `Still like #${target} and #${source}` });
    await comment(`/issues/${source}`, `See #${target}`);
    expect(await saidOf(`/issues/${target}`)).toEqual(words);
    expect(await saidOf(`/issues/${source}`)).toEqual([]);
    const other = await open();
    await mill.call('PUT', `/issues/${source}`, { title: `Like #${other}` });
    expect(await saidOf(`/issues/${other}`)).toEqual(words);
    const third = await open();
    const { id } = (await comment(`/issues/${source}`, 'See there')).body as { id: number };
    await mill.call('PUT', `/issues/${source}/notes/${id}`, { body: `See #${third}` });
    expect(await saidOf(`/issues/${third}`)).toEqual(words);
  });

  it('is told of merge requests, and below them', async () => {
    const target = await open();
    const json = { source_branch: 'topic', target_branch: 'main', title: `See #${target}` };
    const { iid } = (await mill.call<{ iid: number }>('POST', '/merge_requests', json)).body;
    expect(await saidOf(`/issues/${target}`)).toEqual([`mentioned in merge request !${iid}`]);
    const source = await open({ description: `After !${iid}` });
    expect(await saidOf(`/merge_requests/${iid}`)).toEqual([`mentioned in issue #${source}`]);
  });

  it('hears nothing of a confidential issue, nor of one in a project that not all of its readers may know of', async () => {
    const target = await open();
    const secret = await open({ confidential: true, description: `Like #${target}` });
    await comment(`/issues/${secret}`, `Like #${target}`);
    await mill.call('PUT', `/issues/${secret}`, { description: `Just like #${target}` });
    const hidden = await writing.newProject({ visibility: 'private' });
    await open({ description: `Like ${mill.project.path}#${target}` }, hidden);
    expect(await saidOf(`/issues/${target}`)).toEqual([]);
    const known = await writing.newProject({ visibility: 'public' });
    const source = await open({ description: `Like ${mill.project.path}#${target}` }, known);
    expect(await saidOf(`/issues/${target}`)).toEqual([`mentioned in issue ${known.project.path}#${source}`]);
  });

  it('stays as it is where whoever wrote that may not see it', async () => {
    const stranger = await writing.service.addUser('stranger');
    const secret = await open({ confidential: true });
    const target = await open();
    const place = await open();
    await comment(`/issues/${place}`, `See #${secret} and #${target}`, stranger);
    expect(await saidOf(`/issues/${target}`)).toEqual([`mentioned in issue #${place}`]);
    expect(await saidOf(`/issues/${secret}`)).toEqual([]);
  });
});
