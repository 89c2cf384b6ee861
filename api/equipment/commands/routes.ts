import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import {
  COMMAND_LIFE_MS,
  COMMAND_STATES,
  MAX_COMMAND_LIFE_MS,
  MAX_PARAMETERS_BYTES,
  parametersBytes,
  type Command as StoredCommand,
} from "../../../domain/equipment/command.ts";
import { withdraw } from "../../../domain/equipment/command-steps.ts";
import { DomainError } from "../../../domain/errors.ts";
import { type AssetId, type CommandId, isId, newId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import { defaultAttempts, requireCarriable } from "../../../ingest/commands/check-command.ts";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleAsset, visibleProjects } from "../../access/asset-access.ts";
import { principal } from "../../auth/guard.ts";
import { seesProject } from "../../auth/principal.ts";
import type { CommandDependencies } from "../../dependencies/dependencies.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { readInstant } from "../../schemas/instant.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { severalOf } from "../../schemas/several.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { once } from "../../writes/once.ts";
import { ifMatching, noteState } from "../../writes/resource-tag.ts";
import { AssetPath } from "../assets/asset-schemas.ts";
import { Command, CommandList, CommandPath, NewCommandBody } from "./command-schemas.ts";

/** The order of the list. */
const ORDER = sortedBy("-created_at");

export interface CommandsOptions extends CommandDependencies {
  readonly records: Pick<RecordStore, "commands" | "transaction">;
  readonly directory: AssetDirectory;
  /** Notified of what a route adds to the outbox. */
  readonly feed: Pick<EventFeed, "poke">;
  readonly now: () => number;
}

/** Commands to the devices of assets; mounted at `/api/v1/equipment`. */
const commands: FastifyPluginAsyncTypebox<CommandsOptions> = async (app, options) => {
  const { records, directory, feed, added, hasExternalBroker, now } = options;

  /**
   * @throws DomainError `COMMAND_NOT_FOUND`, the same for an absent command and for one that another tenant
   * gave the asset before it moved.
   */
  async function visibleCommand(
    request: FastifyRequest,
    { asset_id, command_id }: { asset_id: AssetId; command_id: CommandId },
  ): Promise<StoredCommand> {
    const { asset } = visibleAsset(directory, request, asset_id);
    const command = isId(command_id) ? await records.commands.find(command_id) : undefined;
    const isVisible =
      command?.assetId === asset.id && seesProject(principal(request), command.projectId);
    if (command === undefined || !isVisible) {
      throw new DomainError("COMMAND_NOT_FOUND", `no command ${command_id}`);
    }
    return command;
  }

  function readExpiry(text: string | undefined, nowMs: number): number {
    if (text === undefined) return nowMs + COMMAND_LIFE_MS;
    const expiresAtMs = readInstant("expires_at", text);
    if (expiresAtMs <= nowMs || expiresAtMs > nowMs + MAX_COMMAND_LIFE_MS) {
      throw invalidParameter("expires_at", "must be in the future, within 30 days from now");
    }
    return expiresAtMs;
  }

  app.post(
    "/assets/:asset_id/commands",
    {
      config: { access: "equipment:command", once: "transaction", sends: ["Location"] },
      schema: {
        operationId: "createCommand",
        tags: ["equipment"],
        summary: "Send a command to an asset's device, now or when it is connected",
        description:
          "Stored before the answer, and sent in order: the next command of an asset goes when the one before is confirmed or has ended. 409: the asset has 100 open commands or its project 5,000, or devices are at an external MQTT broker, which commands do not reach. Each status is an event, `equipment.command.*`.",
        params: AssetPath,
        body: NewCommandBody,
        response: { 201: Command, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { asset, project } = visibleAsset(directory, request, request.params.asset_id);
      const { name, parameters, expires_at, max_attempts } = request.body;
      if (hasExternalBroker) {
        throw new Refusal(
          409,
          "conflict",
          "MQTT_URL is set: devices are at an external broker, which commands do not reach",
        );
      }
      const bytes = parametersBytes(parameters);
      if (bytes > MAX_PARAMETERS_BYTES) {
        const message = `must be at most ${MAX_PARAMETERS_BYTES} bytes as JSON; these are ${bytes}`;
        throw invalidParameter("parameters", message);
      }
      requireCarriable(asset.decoder, { name, parameters });
      const nowMs = now();
      const command = {
        id: newId<CommandId>("cmd"),
        assetId: asset.id,
        projectId: project.id,
        name,
        parameters,
        maxAttempts: max_attempts ?? defaultAttempts(asset.decoder),
        createdBy: principal(request).keyId,
        createdAtMs: nowMs,
        expiresAtMs: readExpiry(expires_at, nowMs),
      };
      const answer = await once(request, reply.code(201), records, async (transaction) =>
        commandView(await transaction.commands.insert(command)),
      );
      feed.poke();
      added(asset.id);
      return reply
        .header("location", `/api/v1/equipment/assets/${asset.id}/commands/${answer.id}`)
        .send(answer);
    },
  );

  app.get(
    "/assets/:asset_id/commands",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "listCommands",
        tags: ["equipment"],
        summary: "An asset's commands, newest first",
        params: AssetPath,
        querystring: Type.Object({
          status: severalOf(Type.Enum([...COMMAND_STATES])),
          ...ORDER.parameters,
        }),
        response: { 200: CommandList, ...FAILURES },
      },
    },
    async (request) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      const { status } = request.query;
      const page = ORDER.pageOf(request.query);
      const found = await records.commands.list({
        assetId: asset.id,
        ...visibleProjects(directory, request, undefined),
        ...(status === undefined ? {} : { states: status }),
        ...page,
      });
      const data = found.commands.map(commandView);
      return { data, pagination: paginationOf(page, data.length, found.total) };
    },
  );

  app.get(
    "/assets/:asset_id/commands/:command_id",
    {
      config: { access: "equipment:read", tagged: true },
      schema: {
        operationId: "getCommand",
        tags: ["equipment"],
        summary: "One command, with the device's answer",
        params: CommandPath,
        response: { 200: Command, ...FAILURES },
      },
    },
    async (request) => {
      const command = await visibleCommand(request, request.params);
      noteState(request, command);
      return commandView(command);
    },
  );

  app.delete(
    "/assets/:asset_id/commands/:command_id",
    {
      config: { access: "equipment:command", tagged: true },
      schema: {
        operationId: "cancelCommand",
        tags: ["equipment"],
        summary: "Cancel a command that has not been sent",
        description: "409 once it is sent. A cancelled command stays in the list.",
        params: CommandPath,
        response: { 200: Command, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { id } = await visibleCommand(request, request.params);
      const cancelled = await records.commands.update(
        id,
        ifMatching(request, (before: StoredCommand) => withdraw(before, now())),
      );
      if (cancelled === undefined) {
        const state = (await records.commands.find(id))?.state ?? "gone";
        throw new DomainError(
          "COMMAND_SENT",
          `The command is ${state}; only a queued one can be cancelled`,
        );
      }
      feed.poke();
      return commandView(cancelled);
    },
  );
};

function commandView(command: StoredCommand): Command {
  const { parameters, carrier, failure, detail, answer } = command;
  return {
    id: command.id,
    asset_id: command.assetId,
    project_id: command.projectId,
    name: command.name,
    ...(parameters === undefined ? {} : { parameters }),
    status: command.state,
    attempt: command.attempt,
    max_attempts: command.maxAttempts,
    ...(carrier === undefined ? {} : { carrier }),
    ...(failure === undefined ? {} : { failure }),
    ...(detail === undefined ? {} : { detail }),
    ...(answer === undefined ? {} : { answer }),
    sequence: command.sequence,
    created_by: command.createdBy,
    created_at: isoTime(command.createdAtMs),
    expires_at: isoTime(command.expiresAtMs),
    changed_at: isoTime(command.changedAtMs),
    ...timeAt("sent_at", command.sentAtMs),
    ...timeAt("delivered_at", command.deliveredAtMs),
    ...timeAt("answered_at", command.answeredAtMs),
  };
}

function timeAt<Name extends string>(
  name: Name,
  ms: number | undefined,
): { [Key in Name]?: string } {
  return ms === undefined ? {} : ({ [name]: isoTime(ms) } as Record<Name, string>);
}

export default commands;
