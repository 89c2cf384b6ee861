import { expect, it } from "vitest";
import { readScaleBarFile } from "../../../../processing/engine/port/scale-bar-file.ts";

const HEAD = "bar,length_m,sigma_m,end,image,u,v";

it("a file of scale bars is read mark by mark, whatever the order of columns", () => {
  const text = [
    "# measured with a tape",
    "end;bar;length_m;sigma_m;image;u;v",
    "1;A;10.5;0.01;one.jpg;100;200.5",
    "2;A;10.5;0.01;one.jpg;300;400",
    "2;A;10.5;0.01;two.jpg;5;6",
    "1;B;3;0.02;two.jpg;7;8 # the other",
  ].join("\r\n");
  expect(readScaleBarFile(text)).toEqual([
    {
      ...{ lengthM: 10.5, sigmaM: 0.01 },
      ends: [
        { marks: [{ image: "one.jpg", u: 100, v: 200.5 }] },
        {
          marks: [
            { image: "one.jpg", u: 300, v: 400 },
            { image: "two.jpg", u: 5, v: 6 },
          ],
        },
      ],
    },
    {
      ...{ lengthM: 3, sigmaM: 0.02 },
      ends: [{ marks: [{ image: "two.jpg", u: 7, v: 8 }] }, { marks: [] }],
    },
  ]);
});

it.each([
  ["", /no first row with the columns bar, length_m/],
  ["bar,length_m,end,image,u,v", /no first row/],
  [`${HEAD}\nA,10,0.01,1,one.jpg,100`, /no mark of a bar in line 2/],
  [`${HEAD.replaceAll(",", ";")}\nA;10,5;0,01;1;one.jpg;1;2`, /no mark of a bar in line 2/],
  [`${HEAD}\nA,-1,0.01,1,one.jpg,1,2`, /no mark of a bar in line 2/],
  [`${HEAD}\nA,10,0.01,3,one.jpg,1,2`, /end that is not 1 or 2 in line 2/],
  [
    `${HEAD}\nA,10,0.01,1,one.jpg,1,2\n\nA,9,0.01,2,one.jpg,1,2`,
    /another length of bar "A" in line 4/,
  ],
])("a file of scale bars is refused: %j", (text, message) => {
  expect(() => readScaleBarFile(text)).toThrow(message);
});
