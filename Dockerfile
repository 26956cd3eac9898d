# Engram as an image: the server with the web app, without what only builds it.
# `docs/how-to/run-in-a-container.md` says how it is run.

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

# The image has the right Node already, so no package's install script is needed.
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
# ffmpeg gives videos a picture and lets more kinds of recordings be heard, for some 450 MB:
# docker build --build-arg FFMPEG=yes .
ARG FFMPEG=no
# Debian keeps no older version of a package to pin.
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
# Nobody changes the program from within, and the data folder is all that is written to.
# 1000 is the user 'node' of the image.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# The last three are those of scripts/server-process.json.
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
