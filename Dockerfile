# The image of Engram: the server and the web app, without build tools.
# See `docs/how-to/run-in-a-container.md`.

FROM node:24-bookworm-slim AS sources
WORKDIR /engram
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY apps/clipper/package.json apps/clipper/
COPY apps/connector/package.json apps/connector/
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY packages/client/package.json packages/client/
COPY packages/contract/package.json packages/contract/
COPY packages/extraction/package.json packages/extraction/
COPY packages/folder-sync/package.json packages/folder-sync/
COPY packages/mcp-bridge/package.json packages/mcp-bridge/
COPY packages/retrieval/package.json packages/retrieval/

# The image already has the right Node, so the install scripts of packages are not needed.
FROM sources AS web
RUN npm ci --ignore-scripts
COPY apps/web apps/web
COPY packages packages
COPY scripts/web-build.ts scripts/
RUN node -e "import('./scripts/web-build.ts').then((build) => build.ensureWebBuild())"

FROM sources AS server
COPY scripts/trim-packages.cjs scripts/
RUN npm ci --omit=dev --ignore-scripts --workspace apps/server --include-workspace-root=false \
  && node scripts/trim-packages.cjs

FROM node:24-bookworm-slim
# ffmpeg (about 450 MB) adds pictures of videos and support for more formats of recordings:
# docker build --build-arg FFMPEG=yes .
ARG FFMPEG=no
# Debian does not keep older versions of a package, so it cannot be pinned.
# hadolint ignore=DL3008
RUN if [ "$FFMPEG" = yes ]; then \
    apt-get update \
    && apt-get install --yes --no-install-recommends ffmpeg \
    && rm -rf /var/lib/apt/lists/*; \
  fi \
  && install --directory --owner=node --group=node --mode=0700 /data
WORKDIR /engram
COPY --from=server /engram ./
COPY LICENSE ./
COPY apps/server apps/server
COPY packages packages
COPY --from=web /engram/apps/web/dist apps/web/dist
# The user 'node' of the image, which cannot change the program and writes only to the data folder.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# The last three are from scripts/server-process.json.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    ENGRAM_DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    MALLOC_TRIM_THRESHOLD_=4194304
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/v1/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "apps/server/src/main.ts"]
