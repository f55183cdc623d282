/** The password of people that tests sign in as. */
export const PASSWORD = 'a-difference-engine';

/** What a form remembers under a name; empty where it remembers nothing. */
export const hiddenField = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? '';

/** What a page says that was done just before; undefined where it says nothing. */
export const noticeIn = (html: string): string | undefined => /role="status">([^<]*)</.exec(html)?.[1];

/** What is typed and chosen; a list where several boxes of one name are checked. */
type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** Whether a cookie of a path is sent along to an address (RFC 6265 §5.1.4). */
const isSentTo = (address: string, cookiePath: string): boolean => {
  const [path = ''] = address.split('?');
  return path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);
};

/** A browser as far as cookies and forms go. */
export class FormBrowser {
  readonly cookies = new Map<string, string>();

  readonly #paths = new Map<string, string>();

  constructor(private readonly url: string) {}

  async get(path: string): Promise<Response> {
    return this.send(path, {});
  }

  /** Fetches the page first, as a person would, and sends its form with the token in it. */
  async submit(page: string, action: string, values: FormValues): Promise<Response> {
    return this.post(action, { ...values, authenticity_token: await this.formToken(page) });
  }

  /** Sends a form as `submit` does, and reads the page that it leads to. */
  async submitAndRead(page: string, action: string, values: FormValues) {
    const answer = await this.submit(page, action, values);
    const to = answer.headers.get('location');
    const html = await (to === null ? answer : await this.get(to.replace(/#.*/, ''))).text();
    return { status: answer.status, to, html, notice: noticeIn(html) };
  }

  async post(path: string, values: FormValues): Promise<Response> {
    const pairs = Object.entries(values).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, each]),
    );
    return this.send(path, { method: 'POST', body: new URLSearchParams(pairs) });
  }

  async formToken(page: string): Promise<string> {
    return hiddenField(await (await this.get(page)).text(), 'authenticity_token');
  }

  async signIn(login: string, password = PASSWORD, returnTo = '/'): Promise<Response> {
    return this.submit('/users/sign_in', '/users/sign_in', { login, password, return_to: returnTo });
  }

  /** Any request with the cookies of this browser. */
  async send(path: string, init: RequestInit): Promise<Response> {
    const sent = [...this.cookies].filter(([name]) => isSentTo(path, this.#paths.get(name) ?? '/'));
    const cookie = sent.map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    headers.set('cookie', cookie);
    const response = await fetch(this.url + path, {
      ...init,
      redirect: 'manual',
      headers,
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
      this.#paths.set(name, /; *Path=([^;]*)/i.exec(line)?.[1] ?? '/');
    }
    return response;
  }
}
