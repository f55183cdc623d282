import { afterAll, beforeAll, expect } from '@jest/globals';
import { AttackTable } from '../support/attack-table.js';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser, PASSWORD } from '../support/form-browser.js';
import { CALLBACK, newProof, OAuthClient, signedIn } from '../support/oauth-client.js';
import { TestService } from '../support/test-service.js';

describeEachDatabase('attacks on the authorization endpoint', (openTestDatabase) => {
  const table = new AttackTable('A');
  let url: string;
  let service: TestService;
  let person: FormBrowser;
  let client: OAuthClient;
  let adaId: number;

  beforeAll(async () => {
    url = await openTestDatabase();
    service = await TestService.start(url);
    adaId = (await service.addUser('ada', { password: PASSWORD })).id;
    await service.addUser('root', { admin: true });
    person = await signedIn(service, 'ada');
    client = await OAuthClient.register(service, {
      redirectUris: `${CALLBACK}\nhttps://app.example/cb\nhttp://localhost/cb\nhttp://127.0.0.1/cb`,
      ownerId: adaId,
    });
  });

  afterAll(() => service.close());

  /** What a request for authorization answers. */
  const ask = async (path: string, who = person) => {
    const response = await who.get(path);
    const location = response.headers.get('location');
    return { status: response.status, location, html: location === null ? await response.text() : '', response };
  };

  const refusedWithoutRedirect = async (changes: Record<string, string | undefined>, status = 400) => {
    for (const who of [person, new FormBrowser(service.url)]) {
      const answer = await ask(client.authorizePath(changes), who);
      expect([changes, answer.status, answer.location]).toEqual([changes, status, null]);
    }
  };

  const refusedByRedirect = async (changes: Record<string, string | undefined>, error: string) => {
    const { status, location } = await ask(client.authorizePath(changes));
    const target = new URL(location ?? '');
    expect([status, target.origin + target.pathname]).toEqual([303, CALLBACK]);
    expect(Object.fromEntries(target.searchParams)).toMatchObject({ error, state: 'a state', iss: service.url });
    expect(target.searchParams.get('error_description')).not.toBe('');
  };

  table.attack('A1', 'a redirect URI in another case is not the registered one', async () => {
    await refusedWithoutRedirect({ redirect_uri: 'https://app.example/CALLBACK' });
    await refusedWithoutRedirect({ redirect_uri: 'https://APP.example/callback' });
    return '400 page, no redirect';
  });

  table.attack('A2', 'user information does not pass for a host', async () => {
    for (const uri of [
      'http://localhost:80@evil.test/',
      'http://127.0.0.1:80@evil.test/cb',
      'http://127.0.0.1@evil.test/cb',
    ]) {
      await refusedWithoutRedirect({ redirect_uri: uri });
    }
    const port = await ask(client.authorizePath({ redirect_uri: 'http://127.0.0.1:53123/cb' }));
    expect(port.status).toBe(200);
    await refusedWithoutRedirect({ redirect_uri: 'http://localhost:53123/cb' });
    await refusedWithoutRedirect({ redirect_uri: 'http://127.0.0.1:99999/cb' });
    return '400 page, no redirect; only the port of a loopback IP may differ';
  });

  table.attack('A3', 'a path that climbs is compared as it is written', async () => {
    for (const path of [
      '/cb/../../evil',
      '/cb/%2e%2e/evil',
      '/cb/%252e%252e/evil',
      '/cb/..%2fevil',
      '/cb/',
      '/cb?x=1',
      '/cb#x',
    ]) {
      await refusedWithoutRedirect({ redirect_uri: `https://app.example${path}` });
    }
    return '400 page, no redirect, plain, encoded and double-encoded';
  });

  table.attack('A4', 'schemes that run or show something can’t be registered or asked for', async () => {
    const schemes = [
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'urn:ietf:wg:oauth:2.0:oob',
      'JavaScript:alert(1)',
    ];
    for (const uri of schemes) {
      await expect(OAuthClient.register(service, { redirectUris: uri })).rejects.toThrow('is forbidden by the server');
      await refusedWithoutRedirect({ redirect_uri: uri });
    }
    return 'refused at registration; 400 page at request';
  });

  table.attack('A5', 'a redirect URI given twice, or as a list, is no redirect URI', async () => {
    const path = client.authorizePath();
    for (const more of ['&redirect_uri=https://evil.test/', '&redirect_uri[]=https://evil.test/', '&client_id=other']) {
      const answer = await ask(path + more);
      expect([more, answer.status, answer.location]).toEqual([more, 400, null]);
    }
    const lone = await ask(path.replace('redirect_uri=', 'redirect_uri[]='));
    expect([lone.status, lone.location]).toEqual([400, null]);
    return 'invalid_request page, no redirect';
  });

  table.attack('A7', 'a redirect URI is never guessed', async () => {
    await refusedWithoutRedirect({ redirect_uri: undefined });
    await refusedWithoutRedirect({ redirect_uri: '' });
    const { html } = await ask(client.authorizePath({ redirect_uri: undefined }));
    expect(html).toContain('Missing required parameter: redirect_uri.');
    return '400 page that names the parameter';
  });

  table.attack('A9', 'nobody is redirected before client and redirect URI are known', async () => {
    await refusedWithoutRedirect({ client_id: 'unknown', response_type: 'nonsense' }, 401);
    await refusedWithoutRedirect({ client_id: undefined });
    await refusedWithoutRedirect({ redirect_uri: 'https://evil.test/', scope: 'nonsense' });
    return '400 and 401 pages, never a redirect';
  });

  table.attack('A10', 'a redirect URI that was not registered is refused', async () => {
    await refusedWithoutRedirect({ redirect_uri: 'https://evil.test/callback' });
    const other = await OAuthClient.register(service, { redirectUris: 'https://other.example/callback' });
    await refusedWithoutRedirect({ redirect_uri: 'https://other.example/callback' });
    await refusedWithoutRedirect({ client_id: other.id });
    return '400 page, no redirect; not that of another application either';
  });

  table.attack('A12', 'another site can’t approve in a person’s name', async () => {
    const fields = {
      client_id: client.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'read_user',
      decision: 'authorize',
    };
    const stranger = await new FormBrowser(service.url).formToken('/users/sign_in');
    for (const forged of [fields, { ...fields, authenticity_token: stranger }, { ...fields, authenticity_token: '' }]) {
      const response = await person.send('/oauth/authorize', {
        method: 'POST',
        headers: { Origin: 'https://evil.test' },
        body: new URLSearchParams(forged),
      });
      expect([response.status, response.headers.get('location')]).toEqual([403, null]);
    }
    return '403, no code';
  });

  table.attack('A13', 'the consent page is shown in no frame', async () => {
    const { response } = await ask(client.authorizePath());
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https:;");
    const loopback = await ask(client.authorizePath({ redirect_uri: 'http://localhost/cb' }));
    expect(loopback.response.headers.get('content-security-policy')).toContain("form-action 'self' http: https:;");
    const native = await OAuthClient.register(service, { confidential: false, redirectUris: 'com.example.app:/cb' });
    const { challenge } = newProof();
    const scheme = await ask(
      native.authorizePath({
        redirect_uri: 'com.example.app:/cb',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    );
    expect(scheme.response.headers.get('content-security-policy')).toContain("form-action 'self' com.example.app:;");
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    // A host that would end the directive, and begin another.
    for (const host of ['a;script-src', 'a,b', "a'self'"]) {
      await expect(OAuthClient.register(service, { redirectUris: `https://${host}.example/cb` })).rejects.toThrow(
        'redirect_uri',
      );
    }
    return "frame-ancestors 'none', X-Frame-Options: DENY; form-action holds the scheme of the redirect URI";
  });

  table.attack('A14', 'a name can neither inject nor deceive nor flood', async () => {
    const marked = await OAuthClient.register(service, { name: '<script>alert(1)</script>"\' & Söhne' });
    const { html } = await ask(marked.authorizePath());
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
    for (const name of ['evil\u202Egnp.exe', 'a\u0007b', 'x'.repeat(10_000), '\u2066', '   ']) {
      await expect(OAuthClient.register(service, { name })).rejects.toThrow(/name /);
    }
    return 'escaped; 255 characters; marks of direction and controls refused';
  });

  table.attack('A16', 'a scope that is not the application’s, or no scope at all, gets a named error', async () => {
    const scopes = [
      'sudo',
      'read_user sudo',
      'nonsense',
      '',
      '  ',
      undefined,
      'read_user read_user',
      'READ_USER',
      'read_user,api',
    ];
    for (const scope of scopes) await refusedByRedirect({ scope }, 'invalid_scope');
    const path = client.authorizePath({ scope: undefined });
    for (const more of ['&scope[a]=b', '&scope=read_user&scope=api', '&scope[]=api']) {
      const { status, location } = await ask(path + more);
      expect([status, new URL(location ?? '').searchParams.get('error')]).toEqual([303, 'invalid_request']);
    }
    return 'invalid_scope or invalid_request by redirect';
  });

  table.attack('A18', 'a password is not sent on by a redirect', async () => {
    const fresh = new FormBrowser(service.url);
    expect((await fresh.signIn('ada')).status).toBe(303);
    const token = await fresh.formToken(client.authorizePath());
    const answer = await fresh.post('/oauth/authorize', {
      authenticity_token: token,
      client_id: client.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'read_user',
      decision: 'authorize',
    });
    expect([answer.status, new URL(answer.headers.get('location') ?? '').origin]).toEqual([303, 'https://app.example']);
    return '303 after sign-in and after consent';
  });

  table.attack('A19', 'every answer names who gave it', async () => {
    expect((await client.authorize(person)).searchParams.get('iss')).toBe(service.url);
    expect((await client.authorize(person, {}, 'deny')).searchParams.get('iss')).toBe(service.url);
    await refusedByRedirect({ response_type: 'nonsense' }, 'unsupported_response_type');
    const implicit = await client.authorize(person, { response_type: 'token' });
    expect(new URLSearchParams(implicit.hash.slice(1)).get('iss')).toBe(service.url);
    return 'iss in code, token, denial and error (RFC 9207)';
  });

  table.attack('A20', 'a token in a fragment goes nowhere else, and the flow can be switched off', async () => {
    const { response, html } = await ask(client.authorizePath({ response_type: 'token' }));
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const target = await client.authorize(person, { response_type: 'token' });
    expect(target.search).toBe('');
    expect(Object.fromEntries(new URLSearchParams(target.hash.slice(1)))).toMatchObject({
      token_type: 'bearer',
      expires_in: '7200',
      state: 'a state',
    });
    const strict = await TestService.start(await openTestDatabase(), { oauthDisabledFlows: ['implicit'] });
    try {
      await strict.addUser('ada', { password: PASSWORD });
      const lone = await OAuthClient.register(strict);
      const refused = await (await signedIn(strict, 'ada')).get(lone.authorizePath({ response_type: 'token' }));
      expect(refused.headers.get('location')).toContain('error=unsupported_response_type');
    } finally {
      await strict.close();
    }
    return 'Referrer-Policy: no-referrer, nothing of third parties; OAUTH_DISABLED_FLOWS=implicit refuses it';
  });

  table.attack('A21', 'a secret is never shown again', async () => {
    const root = await service.addUser('registrar', { admin: true });
    const { body: created } = await service.call<{ secret: string }>('POST', '/applications', {
      token: root.token,
      json: { name: 'Listed', redirect_uri: CALLBACK, scopes: 'api' },
    });
    const { body: list } = await service.call('GET', '/applications?per_page=100', { token: root.token });
    await client.tokens(person);
    const pages = [
      await person.get('/profile/applications'),
      await person.get(`/profile/applications/${client.application.id}`),
    ];
    const shown = JSON.stringify(list) + (await Promise.all(pages.map((page) => page.text()))).join('');
    expect(shown).toContain('Engine');
    expect(shown).not.toMatch(/"secret|digest/);
    for (const secret of [created.secret, client.application.secret]) expect(shown).not.toContain(secret);
    return 'in no list, no page, no JSON after it was made';
  });

  table.attack('A22', 'a link to this service takes no stranger to a site that somebody registered', async () => {
    const stranger = new FormBrowser(service.url);
    const wrong = [
      { scope: 'nonsense' },
      { response_type: undefined },
      { prompt: 'none login' },
      { prompt: 'login', max_age: 'x' },
      { code_challenge_method: 'plain' },
    ];
    for (const changes of wrong) {
      const { status, location } = await ask(client.authorizePath(changes), stranger);
      const to = new URL(location ?? '', service.url);
      expect([changes, status, to.origin, to.pathname]).toEqual([changes, 303, service.url, '/users/sign_in']);
      const back = new URL(to.searchParams.get('return_to') ?? '', service.url);
      expect([changes, back.pathname]).toEqual([changes, '/oauth/authorize']);
      for (const [name, value] of Object.entries(changes)) expect(back.searchParams.get(name) ?? undefined).toBe(value);
      // Who has signed in is sent on, by a page since the form of signing in leads nowhere else.
      const onward = await ask(back.pathname + back.search);
      expect([onward.status, onward.html.includes(`content="0;url=${CALLBACK}?error=invalid_`)]).toEqual([200, true]);
    }
    const twice = await ask(`${client.authorizePath()}&scope=api`, stranger);
    expect(twice.location).toContain(encodeURIComponent('scope=read_user&state=a+state&scope=api'));
    const silent = await ask(client.authorizePath({ scope: 'nonsense', prompt: 'none' }), stranger);
    expect([silent.status, silent.location?.startsWith(`${CALLBACK}?error=invalid_scope`)]).toEqual([303, true]);
    return 'sent to sign in first, but for prompt=none (RFC 9700)';
  });

  table.complete();
});
