# One image for every role. `npm run test:image` runs the same steps without Docker, on the same Node.
# Tags, not digests: pin digests in your registry once you have pulled and looked at the images.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
# Alone, so that they are installed again only when they change.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production \
    DATA_DIR=/data
WORKDIR /app
# A named volume takes owner and mode from here. The program itself belongs to root: nobody who breaks
# into the process changes it.
RUN install -d -o node -g node -m 0700 /data
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY deploy/healthcheck.mjs ./healthcheck.mjs
USER node
VOLUME ["/data"]
EXPOSE 8080 1883 8883
# Liveness only: a container whose database is away must not be ended for it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "/app/healthcheck.mjs"]
# The program itself is process 1 and stops cleanly on SIGTERM: no shell, no npm in between.
CMD ["node", "--enable-source-maps", "dist/main.js"]
