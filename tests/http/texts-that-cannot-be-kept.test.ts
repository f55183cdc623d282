import { expect, it } from '@jest/globals';
import { signedIn } from '../support/oauth-client.js';
import { describeWriting } from '../support/written-project.js';

describeWriting('a form with a character that no database can keep', (writing) => {
  it.each([
    ['in a text', { description: 'one\u0000two' }],
    ['in a list', { labels: 'a\u0000' }],
  ])('is refused, and what was there stays: %s', async (_words, change) => {
    const project = await writing.newProject();
    const { body: issue } = await project.call<{ iid: number }>('POST', '/issues', {
      title: 'One',
      description: 'Old',
    });
    const browser = await signedIn(writing.service, 'ada');
    const page = `/${project.project.path}/-/issues/${issue.iid}/edit`;
    const answer = await browser.submit(page, page, { title: 'Two', description: 'New', ...change });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('such as U+0000. Go back')]);
    expect((await project.call('GET', `/issues/${issue.iid}`)).body).toMatchObject({
      title: 'One',
      description: 'Old',
    });
  });

  it('is refused with its files', async () => {
    const project = await writing.newProject();
    await project.call('POST', '/issues', { title: 'One' });
    const browser = await signedIn(writing.service, 'ada');
    const page = `/${project.project.path}/-/issues/1`;
    const body = new FormData();
    body.set('authenticity_token', await browser.formToken(page));
    body.set('body', 'one\u0000two');
    body.append('attachments', new File(['a'], 'a.txt'));
    expect((await browser.send(`${page}/notes`, { method: 'POST', body })).status).toBe(400);
    expect((await project.call('GET', '/issues/1/notes')).body).toEqual([]);
    expect((await project.call('GET', '/uploads')).body).toEqual([]);
  });
});
