import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  accountOf,
  findFreePort,
  findProgram,
  installDebian,
  isListening,
  isRoot,
  makeScratch,
  removeFolder,
  run,
  type RunningService,
  startServer,
  type StartOptions,
} from './service.ts';

const DEBIAN_FILE = '/usr/sbin/dovecot';
const PASSWORD = 'secret';
const USERS = ['ann', 'ben'];
/** Root runs it as an unprivileged user. */
const NOBODY = { user: 'nobody', group: 'nogroup' };

/** Dovecot with all its processes as one unprivileged user. */
const configuration = (folder: string, user: string, group: string, port: number, tls: number) => `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
disable_plaintext_auth = no
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 0
first_valid_gid = 0
auth_failure_delay = 0
mail_max_userip_connections = 100
mail_fsync = never
mail_location = maildir:${folder}/mail/%u
ssl = yes
ssl_cert = <${folder}/certificate.pem
ssl_key = <${folder}/key.pem
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${folder}/mail/%u
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tls}
    ssl = yes
  }
}
service stats {
  chroot =
}
`;

async function start({ install }: StartOptions): Promise<RunningService> {
  // The path of an unprivileged user may lack Debian's folder of servers.
  const find = () => findProgram('dovecot') ?? (existsSync(DEBIAN_FILE) ? DEBIAN_FILE : undefined);
  if (!find() && install) await installDebian('dovecot-imapd');
  const dovecot = find();
  if (!dovecot) {
    throw new Error('no server is installed here (Debian: apt-get install dovecot-imapd)');
  }
  const account = await accountOf(NOBODY.user);
  const user = isRoot ? NOBODY.user : userInfo().username;
  const group = isRoot ? NOBODY.group : (await run('id', ['-gn'])).trim();
  const folder = makeScratch('imap');
  try {
    const certificate = join(folder, 'certificate.pem');
    const outputs = ['-keyout', join(folder, 'key.pem'), '-out', certificate];
    const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...outputs, ...name]);
    const port = await findFreePort();
    const tls = await findFreePort();
    mkdirSync(join(folder, 'mail'));
    writeFileSync(
      join(folder, 'users'),
      USERS.map((user) => `${user}:{PLAIN}${PASSWORD}\n`).join(''),
    );
    const file = join(folder, 'dovecot.conf');
    writeFileSync(file, configuration(folder, user, group, port, tls));
    const { uid, gid } = account;
    if (uid !== undefined && gid !== undefined) {
      for (const name of ['', 'mail', 'key.pem']) chownSync(join(folder, name), uid, gid);
    }
    const stop = await startServer(dovecot, ['-F', '-c', file], {
      ...account,
      env: process.env,
      folder,
      health: () => isListening(port),
      seconds: 30,
    });
    const address = `127.0.0.1:${port}`;
    const env = {
      ENGRAM_TEST_IMAP_URL: `imap://${USERS[0]}:${PASSWORD}@${address}`,
      ENGRAM_TEST_IMAPS_PORT: String(tls),
      ENGRAM_TEST_IMAP_CERTIFICATE: certificate,
    };
    return { env, stop };
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
}

export const imap = { name: 'IMAP (Dovecot)', start };
