// Grows a preset through the C# class and prints it as `wallcrawler grow --format plain` does.
using System;
using System.Linq;
using System.Text;
using Wallcrawler;

public static class Test
{
    private static void Check(bool holds, string what)
    {
        if (!holds) throw new InvalidOperationException(what);
    }

    public static void Main(string[] arguments)
    {
        using (Dungeon dungeon = Dungeon.OfPreset(arguments[0], ulong.Parse(arguments[1])))
        {
            byte[] tiles = dungeon.Tiles;
            for (int row = 0; row < dungeon.Rows; row++)
            {
                var line = tiles.Skip(row * dungeon.Columns).Take(dungeon.Columns);
                Console.WriteLine(string.Concat(line.Select(tile => ".oXYC"[tile])));
            }
            int[] laid = dungeon.TurnLaid;
            short[] generations = dungeon.Generations;
            Check(laid.Zip(generations, (turn, generation) => turn > 0 == generation >= 0).All(same => same), "generations");
            Check(dungeon.Steps.Count(steps => steps == 0) == 1, "one entrance");
            Check(Encoding.ASCII.GetString(dungeon.Export("png", "{\"scale\": 2}"), 1, 3) == "PNG", "a picture");
            Check(dungeon.Turn == dungeon.Turns && (ulong)laid.Max() <= dungeon.Turns, "turns");
            dungeon.Turn = 0;
            Check(dungeon.TurnLaid.All(turn => turn == 0), "nothing is laid at the start");
        }
        const string Outside = "[layout]\ndim_x = 30\ndim_y = 40\nwalls = [[99, 99]]";
        using (Dungeon changed = Dungeon.Of(Outside, 1)) Check(changed.Diagnostics.Contains("warning"), changed.Diagnostics);
        using (Dungeon older = Dungeon.OfPreset("keep", 5, "MaxAge * 2")) Check(older.Rows == 55, "changed");
        try
        {
            Dungeon.Of("[layout]\ndim_x = ten", 1);
            Check(false, "no design");
        }
        catch (WallcrawlerException error)
        {
            Check(error.Message.Contains("design:2:9: error"), error.Message);
        }
    }
}
