import { expect, it } from '@jest/globals';
import { FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { byToken, packagePath, sendPackage, type SentPackage } from '../support/sent-packages.js';
import { describeWriting, type WrittenProject } from '../support/written-project.js';

const HOSTILE = '<script>alert(1)<script>.txt';

describeWriting('pages of packages', (writing) => {
  const at = (project: WrittenProject, rest = '') => `/${project.project.path}/-/${rest}`;
  const visitor = () => new FormBrowser(writing.service.url);
  const textOf = async (browser: FormBrowser, path: string) => (await browser.get(path)).text();
  const send = async (project: WrittenProject, content: string, of: SentPackage = {}) => {
    const sent = await sendPackage(writing.service, byToken(project.owner), project.id, content, {
      ...{ query: '?select=package_file', ...of },
    });
    expect(sent.status).toBe(201);
    return sent.body as { readonly id: number; readonly package_id: number; readonly file_sha256: string };
  };

  it('show everybody who may read them all packages, and one with its files, and save each', async () => {
    const project = await writing.newProject({ visibility: 'public' });
    const file = await send(project, 'bytes', {
      name: 'loom-tools',
      version: '2.0+1',
      file: HOSTILE,
    });
    await send(project, 'x', { name: 'in-the-dark', query: '?select=package_file&status=hidden' });
    const list = await textOf(visitor(), at(project, 'packages'));
    expect(list).toContain('loom-tools');
    expect(list).toContain('1 file');
    expect(list).not.toContain('in-the-dark');
    expect(list).not.toContain('curl');
    expect(await textOf(visitor(), at(project, 'packages?status=hidden'))).toContain('in-the-dark');
    const page = await textOf(visitor(), at(project, `packages/${file.package_id}`));
    expect(page).toContain(file.file_sha256);
    expect(page).toContain('5 bytes');
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('/remove');
    const saved = await visitor().get(at(project, `package_files/${file.id}/download`));
    expect([saved.status, await saved.text()]).toEqual([200, 'bytes']);
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(saved.headers.get('content-type')).toBe('application/octet-stream');
    expect(saved.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('tell Developers how to send a file, and how much room there is', async () => {
    const project = await writing.newProject();
    const ada = await signedIn(writing.service, 'ada');
    expect(await textOf(ada, at(project, 'packages'))).toContain('There are no packages yet.');
    await send(project, 'bytes');
    const page = await textOf(ada, at(project, 'packages'));
    expect(page).toContain('curl --fail --upload-file');
    expect(page).toContain(`/api/v4/projects/${project.id}/packages/generic/tools/1.0.0/tool.tar.gz`);
    expect(page).toContain('Files of packages: 5 bytes of 10.0 GiB.');
    expect(await textOf(ada, at(project, 'pipelines'))).toContain(`href="${at(project, 'packages')}"`);
  });

  it('ask before a file or a package is removed, and do it for Maintainers alone', async () => {
    const project = await writing.newProject();
    const [one, two] = [await send(project, 'one'), await send(project, 'two')];
    await project.addMember(writing.grace, 30);
    const [ada, grace] = [await signedIn(writing.service, 'ada'), await signedIn(writing.service, 'grace')];
    const [ofFile, ofPackage] = [
      at(project, `package_files/${two.id}/remove`),
      at(project, `packages/${one.package_id}/remove`),
    ];
    for (const path of [ofFile, ofPackage]) {
      expect((await grace.get(path)).status).toBe(403);
      const token = await grace.formToken(at(project, 'packages'));
      expect((await grace.post(path, { authenticity_token: token })).status).toBe(403);
    }
    expect(await textOf(ada, ofFile)).toContain('Remove the file a.txt?');
    const removed = await ada.submit(ofFile, ofFile, {});
    expect([removed.status, removed.headers.get('location')]).toEqual([
      ...[303, at(project, `packages/${one.package_id}`)],
    ]);
    const page = await textOf(ada, at(project, `packages/${one.package_id}`));
    expect([page.includes(one.file_sha256), page.includes(two.file_sha256)]).toEqual([true, false]);
    const gone = await ada.submit(ofPackage, ofPackage, {});
    expect([gone.status, gone.headers.get('location')]).toEqual([303, at(project, 'packages')]);
    expect((await ada.get(at(project, `packages/${one.package_id}`))).status).toBe(404);
  });

  it('tell nobody of packages of a project that they may not read', async () => {
    const project = await writing.newProject({ visibility: 'private' });
    const file = await send(project, 'x');
    const [guest, stranger] = [await writing.service.addUser(`guest-${project.id}`), writing.grace];
    await project.addMember(guest, 10);
    const paths = ['packages', `packages/${file.package_id}`, `package_files/${file.id}/download`];
    for (const path of paths) {
      expect((await (await signedIn(writing.service, stranger.username)).get(at(project, path))).status).toBe(404);
      expect((await (await signedIn(writing.service, guest.username)).get(at(project, path))).status).toBe(403);
      expect((await visitor().get(at(project, path))).status).not.toBe(200);
    }
    // Nor by the number of a file, through a project that one may read.
    const own = await writing.newProject({ visibility: 'public' });
    expect((await visitor().get(at(own, `package_files/${file.id}/download`))).status).toBe(404);
    expect((await visitor().get(at(own, `packages/${file.package_id}`))).status).toBe(404);
  });

  it('are what links of releases lead to: whoever is signed in gets the file', async () => {
    const project = await writing.newProject({ visibility: 'private' });
    await project.write('main', { 'README.md': '# Mill\n' });
    await send(project, 'the tool');
    const url = `${writing.service.url}/api/v4${packagePath(project.id)}`;
    const link = { name: 'Tool', url, link_type: 'package', direct_asset_path: '/bin/tool' };
    const made = await project.call('POST', '/releases', { tag_name: 'v1', ref: 'main', assets: { links: [link] } });
    expect(made.status).toBe(201);
    const ada = await signedIn(writing.service, 'ada');
    const led = await ada.get(at(project, 'releases/v1/downloads/bin/tool'));
    expect([led.status, led.headers.get('location')]).toEqual([302, url]);
    const saved = await ada.get(url.slice(writing.service.url.length));
    expect([saved.status, await saved.text()]).toEqual([200, 'the tool']);
    expect((await visitor().get(url.slice(writing.service.url.length))).status).toBe(404);
  });
});
