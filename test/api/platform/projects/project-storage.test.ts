import { describe, expect, it } from "vitest";
import { ADMIN_KEY, openTestApp } from "../../../support/api-app.ts";

const MIB = 1024 ** 2;

describe("what a project has stored", () => {
  it("what a project has stored is answered to its own keys with what the quota leaves, and to no others", async () => {
    await using t = await openTestApp();
    const own = await t.project();
    const foreign = await t.project();
    const key = await t.key({ project_ids: [own] });
    const url = (id: string) => `/api/v1/projects/${id}/storage`;
    await t.records.storedFiles.put({ key: "images/a.jpg", bytes: 3 * MIB }, own);
    const before = await t.get(url(own), key);
    expect(before.json()).toEqual({
      project_id: own,
      used_bytes: 3 * MIB,
      files: 1,
      limit_bytes: null,
      left_bytes: null,
    });
    expect((await t.get(url(foreign), key)).statusCode).toBe(404);
    expect((await t.send("PUT", url(own), key, { limit_mib: 5 })).statusCode).toBe(403);
    const limited = await t.send("PUT", url(own), ADMIN_KEY, { limit_mib: 5 });
    expect(limited.json()).toMatchObject({ limit_bytes: 5 * MIB, left_bytes: 2 * MIB });
    const free = await t.send("PUT", url(own), ADMIN_KEY, { limit_mib: null });
    expect(free.json()).toMatchObject({ limit_bytes: null });
    expect((await t.send("PUT", url("absent"), ADMIN_KEY, { limit_mib: 1 })).statusCode).toBe(404);
  });

  it("a project's quota bounds schedules: one that is too large is refused with 507 and the bytes used and left", async () => {
    await using t = await openTestApp();
    const project = await t.project();
    await t.records.storedFiles.put({ key: "images/a.jpg", bytes: 3 * MIB }, project);
    await t.records.storedFiles.updateLimit(project, () => ({ limitBytes: 3 * MIB + 10 }));
    const put = (payload: string) =>
      t.app.inject({
        method: "PUT",
        url: `/api/v1/progress/projects/${project}/schedule`,
        headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "text/csv" },
        payload,
      });
    const csv = "zone,task,start,finish\nNorth,Dig,2026-03-02,2026-03-09\n";
    const refused = await put(csv);
    expect([refused.statusCode, refused.json().error.code]).toEqual([507, "quota_exceeded"]);
    expect(refused.json().error.details[0]).toMatchObject({
      parameter: "project_id",
      bytes_needed: csv.length,
      bytes_left: 10,
      bytes_used: 3 * MIB,
      bytes_limit: 3 * MIB + 10,
    });
    await t.records.storedFiles.updateLimit(project, () => ({ limitBytes: 4 * MIB }));
    expect((await put(csv)).statusCode).toBe(201);
    const { bytes, files } = await t.records.storedFiles.usage(project);
    expect([bytes > 3 * MIB, files]).toEqual([true, 2]);
  });

  it("is bound to a project where one has a quota of its own: a key that sees it and another names one", async () => {
    await using t = await openTestApp();
    const [first, second, third] = [await t.project(), await t.project(), await t.project()];
    const scopes = ["progress:write"] as const;
    const upload = async (key: string, query = "") =>
      await t.app.inject({
        method: "POST",
        url: `/api/v1/progress/images${query}`,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "multipart/form-data; boundary=B",
        },
        payload: "--B--\r\n",
      });
    const several = await t.key({ scopes: [...scopes], project_ids: [first, second] });
    const only = await t.key({ scopes: [...scopes], project_ids: [first] });
    expect((await upload(several)).json().error.message).toBe("The form has no file in it");
    await t.records.storedFiles.updateLimit(first, () => ({ limitBytes: MIB }));
    const others = await t.key({ scopes: [...scopes], project_ids: [second, third] });
    expect((await upload(others)).json().error.message).toBe("The form has no file in it");
    expect((await upload(ADMIN_KEY)).json().error.details[0].parameter).toBe("project_id");
    const unnamed = await upload(several);
    expect([unnamed.statusCode, unnamed.json().error.details[0].parameter]).toEqual([
      400,
      "project_id",
    ]);
    // Both go on to read the form, which has no file.
    const messages = [await upload(several, `?project_id=${second}`), await upload(only)].map(
      (answer) => answer.json().error.message,
    );
    expect(new Set(messages)).toEqual(new Set(["The form has no file in it"]));
    expect((await upload(only, `?project_id=${second}`)).statusCode).toBe(404);
  });
});
