import { describe, expect, it } from '@jest/globals';
import { createEtaMailRenderer } from '../../../src/adapters/outbound/mail/eta-mail-renderer.js';
import { WebUrls } from '../../../src/adapters/inbound/http/web-urls.js';
import { composeAccessMail } from '../../../src/application/notifications/compose-access-mail.js';
import type { AccessTemplate } from '../../../src/application/shared/ports/mail-queue.js';

const urls = new WebUrls(() => 'https://gate.example');

const composed = (template: AccessTemplate, changes: Record<string, string> = {}) =>
  composeAccessMail(createEtaMailRenderer(), urls, 'gate.example', {
    mailId: 7,
    createdAt: new Date(0),
    template,
    recipient: 'mary@example.com',
    content: {
      ...{ name: 'Mary', kind: 'project', path: 'works/mill', requester: 'Sam <b> (@sam)', role: 'Reporter' },
      ...changes,
    },
  });

describe('a mail about a request for access', () => {
  it('leads who may decide to the members, in text and HTML', () => {
    const mail = composed('access_requested');
    expect(mail).toMatchObject({
      messageId: '<access_requested.7.0@gate.example>',
      to: { name: 'Mary', address: 'mary@example.com' },
      subject: 'Sam <b> (@sam) asks for access to works/mill',
    });
    expect(mail.text).toContain('Sam <b> (@sam) asks to be a member of works/mill.');
    expect(mail.text).toContain('https://gate.example/works/mill/-/members\n');
    expect(mail.text).toContain('What you are mailed: https://gate.example/profile/notifications');
    expect(mail.html).toContain('Sam &lt;b&gt; (@sam) asks to be a member');
    expect(composed('access_requested', { kind: 'group', path: 'works' }).text).toContain(
      'https://gate.example/groups/works/-/members\n',
    );
  });

  it('tells who asked what they are now, or that it was denied', () => {
    expect(composed('access_granted').text).toContain(
      'Your request for access to works/mill was approved. You are a member now (Reporter):',
    );
    expect(composed('access_granted').text).toContain('https://gate.example/works/mill\n');
    expect(composed('access_denied').subject).toBe('Your request for access to works/mill was denied');
  });

  it('has one line for what people call themselves', () => {
    const mail = composed('access_requested', { requester: 'Sam\r\nBcc: all@example.com (@sam)' });
    expect(mail.subject).toBe('Sam Bcc: all@example.com (@sam) asks for access to works/mill');
    expect(mail.text).not.toContain('\nBcc');
  });
});
