import type { ConnectorBuild } from '@engram/contract';
import { listConnectorBuilds } from '@engram/contract/browser';
import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { type Icon, IconBrandApple, IconBrandWindows, IconTerminal2 } from '@tabler/icons-react';
import { LoadState } from '../../../components/loading-blocks.tsx';
import { useCall } from '../../../api/use-call.ts';
import { formatBytes } from '../../../format/format.ts';

interface System {
  platform: ConnectorBuild['platform'];
  name: string;
  icon: Icon;
}

const systems: readonly System[] = [
  { platform: 'windows', name: 'Windows', icon: IconBrandWindows },
  { platform: 'macos-arm64', name: 'macOS (Apple silicon)', icon: IconBrandApple },
  { platform: 'macos-x64', name: 'macOS (Intel)', icon: IconBrandApple },
  { platform: 'linux', name: 'Linux', icon: IconTerminal2 },
];

export function Downloads() {
  const call = useCall(listConnectorBuilds, {});
  const builds = call.data;
  if (!builds) return <LoadState call={call} what="the downloads" heights={[60, 60]} />;
  return (
    <>
      <Group component="ul" align="stretch" gap={12}>
        {systems.map((system) => (
          <Download
            key={system.platform}
            system={system}
            build={builds.find(({ platform }) => platform === system.platform)}
          />
        ))}
      </Group>
      {builds.length < systems.length && (
        <Text inherit mt={12} c="dimmed" lh={1.6}>
          {builds.length === 0 ? 'Nothing was built on this server yet.' : 'Not all were built.'}{' '}
          The operator builds them with <code>npm run connector</code>.
        </Text>
      )}
      <Text inherit mt={12} c="dimmed" lh={1.6}>
        The Connector was tried on Linux. The packages for Windows and macOS were built and
        inspected, but not run there yet. They are not signed, so that both systems ask the first
        time whether you trust them. On Linux make the file executable, with <code>chmod +x</code>.
      </Text>
    </>
  );
}

function Download({ system, build }: { system: System; build: ConnectorBuild | undefined }) {
  const { name, icon: SystemIcon } = system;
  return (
    <Paper component="li" flex="1 1 min(400px, 100%)" px={16} py={14} radius={14}>
      <Group gap={14} wrap="nowrap">
        <SystemIcon size={26} stroke={1.5} aria-hidden="true" />
        <Box flex={1} miw={0} fz="sm" c="dimmed">
          <Text component="strong" display="block" c="var(--eg-ink)" fw={600}>
            {name}
          </Text>
          {build && (
            <>
              <span>
                Version {build.version}, {formatBytes(build.size)}
              </span>
              <details>
                <summary>SHA-256</summary>
                <Text component="code" fz={11.5}>
                  {build.sha256}
                </Text>
              </details>
            </>
          )}
        </Box>
        {build ? (
          <Button
            component="a"
            href={`/v1/connector/builds/${encodeURIComponent(build.fileName)}`}
            download={build.fileName}
            variant="default"
            aria-label={`Download for ${name}`}
          >
            Download
          </Button>
        ) : (
          <Button variant="default" disabled aria-label={`Not built for ${name}`}>
            Not built
          </Button>
        )}
      </Group>
    </Paper>
  );
}
