import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { FAILURES } from "../errors/error.ts";
import { failureOf } from "../errors/error-handler.ts";
import { xmlElement, xmlText } from "../representations/xml-text.ts";
import { CONTENT_TYPES, representationOf } from "./representation.ts";
import { xmlDocument } from "./xml.ts";

const XML_FAILURE = {
  schema: Type.String({ description: "The same as `<Error>`, with an element for each property" }),
};

const asXmlToo = <T extends { readonly content: object }>(failure: T) => ({
  ...failure,
  content: { ...failure.content, "application/xml": XML_FAILURE },
});

/** The failures of the routes of ISO 15143-3, which are sent as XML too. */
export const ISO_FAILURES = {
  400: asXmlToo(FAILURES[400]),
  401: asXmlToo(FAILURES[401]),
  403: asXmlToo(FAILURES[403]),
  404: asXmlToo(FAILURES[404]),
  429: asXmlToo(FAILURES[429]),
  500: asXmlToo(FAILURES[500]),
};

/** Answers any failure as the API does, with the same statuses and codes, in what the client reads. */
export function sendIsoFailure(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, body } = failureOf(error, request);
  const form = representationOf(request.headers.accept);
  reply.code(status).type(CONTENT_TYPES[form]);
  if (form === "json") return reply.send(JSON.stringify(body));
  const { code, message, details = [], request_id } = body.error;
  const parts = [
    xmlElement("code", code),
    xmlElement("message", xmlText(message)),
    ...details.map((detail) =>
      xmlElement(
        "details",
        xmlElement("parameter", xmlText(detail.parameter)) +
          xmlElement("message", xmlText(detail.message)),
      ),
    ),
    xmlElement("request_id", xmlText(request_id)),
  ];
  return reply.send(xmlDocument("Error", parts.join("")));
}
